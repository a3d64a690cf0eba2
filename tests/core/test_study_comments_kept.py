"""Studies that people wrote keep their comments, order and units when an edited project is saved over them."""

import numpy as np
import pytest

import faying
from faying import edits
from faying.project.study import read_study, write_study

STUDY = """\
# Two plates for the review of May.
name = "Plates"
units = "mm-t-s"

[[bodies]]
name = "plates"  # from the supplier
model = { path = "plates.inp" }
interfaces = [
    { name = "hold", node_set = "HOLD" },  # clamped
    { name = "tip", node_set = "TIP" },
]

# measured in the lab
[[bodies.joints]]
name = "lap"
master = { kind = "deck_surface", name = "LOWER" }
slave = { kind = "deck_surface", name = "UPPER" }

[bodies.joints.friction_law]
kind = "coulomb"
friction_coefficient = 0.12  # dry steel

[[analyses]]
kind = "static"
name = "pull"
body = "plates"
support = "hold"
loads = [{ interface = "tip", force = ["0.1 kN", 0.0, 0.0] }]  # a tenth

[[analyses]]
kind = "static"
name = "push"
body = "plates"
support = "hold"
loads = [{ interface = "tip", force = [-50.0, 0.0, 0.0] }]
"""


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "plates.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def saved(study, *changes):
    """Return the text after edits, which has to have their decisions."""
    project = read_study(study)
    for change in changes:
        project = change(project)
    write_study(project, study)
    assert read_study(study) == project
    return study.read_text(encoding="utf-8")


def test_what_is_not_edited_is_not_touched(study):
    assert saved(study) == STUDY


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("bodies", 0, "joints", 0, "friction_law", "friction_coefficient"), 0.15, "= 0.12  #", "= 0.15  #"),
        (("bodies", 0, "interfaces", 0, "node_set"), "TIP", '"HOLD" },  # clamped', '"TIP" },  # clamped'),
        (("analyses", 1, "loads", 0, "force"), (-60.0, 0.0, 0.0), "[-50.0,", "[-60.0,"),
    ],
)
def test_one_value_is_one_change(study, path, value, old, new):
    assert saved(study, edits.set_value(path, value)) == STUDY.replace(old, new)


def test_names_kinds_and_lists_change_in_place(study):
    text = saved(
        study,
        edits.rename(("bodies", 0), "two plates"),
        edits.set_value(("bodies", 0, "joints", 0, "friction_law"), {"kind": "dahl"}),
        edits.set_value(("bodies", 0, "reduction"), {"kind": "craig_bampton", "vibration_modes": 7}),
        edits.add_interface("two plates", {"name": "middle", "node_set": "MIDDLE"}),
    )
    for comment in ("review of May", "from the supplier", "clamped", "measured in the lab", "a tenth"):
        assert f"# {comment}" in text or comment in text.splitlines()[0]
    assert text.count('body = "two plates"') == 2 and "vibration_modes = 7" in text and '"0.1 kN"' in text


def test_analyses_come_and_go_and_change_places(study):
    static = {"kind": "static", "name": "twist", "body": "plates", "support": "hold",
              "loads": [{"interface": "tip", "moment": (10.0, 0.0, 0.0)}]}  # fmt: skip
    assert saved(study, edits.add_analysis(static)).startswith(STUDY.rstrip())
    text = saved(study, lambda p: p.with_(analyses=p.analyses[1:]))
    assert "a tenth" not in text and "# dry steel" in text and 'name = "twist"' in text
    text = saved(study, lambda p: p.with_(analyses=p.analyses[::-1]))
    assert text.index('"twist"') < text.index('"push"') and "# dry steel" in text
    assert "# dry steel" in saved(study, lambda p: p.with_(analyses=()))


def test_a_script_saves_over_the_study_that_it_read(study):
    with faying.read(study) as session:
        session.apply(edits.set_value(("analyses", 0, "name"), "tension"))
        session.save(study)
    assert study.read_text(encoding="utf-8") == STUDY.replace('name = "pull"', 'name = "tension"')


def test_another_project_leaves_no_comments_behind(study):
    other = faying.build(name="Other").project
    write_study(other, study)
    assert "May" not in study.read_text(encoding="utf-8") and read_study(study) == other


def test_any_order_of_edits_keeps_the_decisions(study):
    """Random edits, each saved over the last: what is read is what was saved (`saved` compares)."""
    rng = np.random.default_rng(7)
    for k in range(25):
        number = float(np.round(rng.uniform(0.05, 0.5), 3))
        count = len(read_study(study).analyses)
        static = {"kind": "static", "name": f"load {k}", "body": "plates", "support": "hold"}
        order = rng.permutation(count)
        gone = int(rng.integers(max(count, 1)))
        law = ("bodies", 0, "joints", 0, "friction_law")
        change = [
            edits.set_value(law, {"kind": "coulomb", "friction_coefficient": number}),
            edits.add_analysis(static),
            lambda p, order=order: p.with_(analyses=tuple(p.analyses[i] for i in order)),
            lambda p, gone=gone: p.with_(analyses=tuple(a for i, a in enumerate(p.analyses) if i != gone)),
            edits.set_value(law, {"kind": "masing"}),
        ][int(rng.integers(5))]
        assert "review of May" in saved(study, change)
