"""Combinations and envelopes of load cases, against the load computed directly and against extremes by hand."""

from pathlib import Path

import numpy as np
import pytest

from faying.analyses.combination import Combination
from faying.analyses.envelope import Envelope
from faying.errors import ModelError
from faying.exporters import export_content
from faying.project import edits
from faying.project.findings import find_findings
from faying.project.specs import Project
from faying.project.stage import target_of
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import read_study, study_text
from faying.results.field import FieldContext
from faying.results.formula import find_field
from support.plate_deck import STUDY, write_study

HEAD = STUDY.partition("[[analyses]]")[0]
TIED = HEAD.replace("contact_law", 'treatment = "tied"\ncontact_law').replace(
    'name = "plates"\nmodel',
    """name = "plates"
materials = [{ kind = "isotropic", youngs_modulus = 210000.0, density = 7.85e-9, expansion = 12e-6 }]
loads = [{ kind = "temperature", name = "warm", change = 10.0 }]
model""",
)
WITH_CONTACT = HEAD.replace(
    'name = "plates"\nmodel',
    """name = "plates"
preloads = [{ name = "fit", loads = [{ kind = "interference", joint = "lap", amount = 0.002 }] }]
model""",
).replace("contact_law", 'friction_law = { kind = "coulomb", friction_coefficient = 0.2 }\ncontact_law')


def static(name: str, force: str, more: str = "", kind: str = "static", steps: int = 2) -> str:
    return f"""
[[analyses]]
kind = "{kind}"
name = "{name}"
body = "plates"
support = "hold"
load_steps = {steps}
loads = [{{ interface = "tip", force = {force} }}]
{more}
"""


SUMS = """
[[analyses]]
kind = "combination"
name = "sums"
body = "plates"
combinations = [
    { name = "all", cases = [{ analysis = "press", factor = -0.5 }, { analysis = "pull", factor = 1.5 },
                             { analysis = "heat", factor = 2.0 }] },
    { name = "half", cases = [{ analysis = "pull", frame = 0 }] },
]
"""
LINEAR = (
    TIED
    + static("press", "[0.0, 0.0, -20.0]")
    + static("pull", "[30.0, 5.0, 0.0]", kind="unreduced_static")
    + static("heat", "[0.0, 0.0, 0.0]", 'body_loads = [{ load = "warm" }]')
    + static("direct", "[45.0, 7.5, 10.0]", 'body_loads = [{ load = "warm", factor = 2.0 }]')
    + SUMS
    + '[[analyses]]\nkind = "envelope"\nname = "worst"\nbody = "plates"\ncases = ["press", "sums", "heat"]\n'
)
CONTACT = (
    WITH_CONTACT
    + static("press", "[0.0, 0.0, -20.0]", 'error_estimate = false\npreloads = ["fit"]')
    + static("push", "[-60.0, 0.0, -5.0]", "error_estimate = false", steps=1)
    + static("full", "[0.0, 10.0, -15.0]", kind="unreduced_static", steps=1)
    + '[[analyses]]\nkind = "envelope"\nname = "worst"\nbody = "plates"\ncases = ["press", "push", "full"]\n'
)


class Solved:
    """A study whose analyses run when they are first looked at."""

    def __init__(self, folder: Path, text: str, **deck: bool) -> None:
        self.base, self.project = folder, read_study(write_study(folder, text, **deck))
        self.store = ArtifactStore(folder / "store")

    def run(self, name: str, project: Project | None = None) -> None:
        project = project or self.project
        PIPELINE.run(project, target_of(project.analysis(name)), self.store, self.base)

    def context(self, name: str) -> FieldContext:
        self.run(name)
        content = export_content(self.project, self.store, name, base=self.base)
        assert content.body_context is not None
        return content.body_context


@pytest.fixture(scope="module")
def linear(tmp_path_factory: pytest.TempPathFactory) -> Solved:
    return Solved(tmp_path_factory.mktemp("linear"), LINEAR, with_material=False)


@pytest.fixture(scope="module")
def contact(tmp_path_factory: pytest.TempPathFactory) -> Solved:
    return Solved(tmp_path_factory.mktemp("contact"), CONTACT)


def test_a_combination_is_the_load_case_computed_directly(linear: Solved) -> None:
    """Reduced, unreduced and thermal cases, with factors: motion, stress less the free growth, and curves."""
    found, direct = linear.context("sums"), linear.context("direct")
    for text in ("displacement", "von_mises", "stress_xx"):
        field = find_field(text)
        wanted = field.shown(direct, "", direct.frames.n_frames - 1)
        np.testing.assert_allclose(
            field.shown(found, "", 0), wanted, rtol=0, atol=1e-9 * np.nanmax(np.abs(wanted))
        )
    for curve in ("tip uz", "tip ux", "warm factor", "hold reaction force x"):
        assert found.frames.curve(curve)[0] == pytest.approx(direct.frames.curve(curve)[-1], rel=1e-9)
    tied = [f"lap {what} {axis}" for what in ("force", "moment") for axis in "xyz"]
    by_tie = np.array(
        [[case.frames.curve(curve)[i] for curve in tied] for case, i in ((found, 0), (direct, -1))]
    )
    np.testing.assert_allclose(by_tie[0], by_tie[1], rtol=0, atol=1e-6 * np.abs(by_tie).max())
    assert np.abs(by_tie).max() > 1.0
    # A frame other than the last one, by its number.
    pull = linear.context("pull")
    assert pull.frames.n_frames == 2
    np.testing.assert_allclose(found.displacement(1), pull.displacement(0), rtol=1e-12)
    assert [found.frames.label(i) for i in range(found.frames.n_frames)] == ["all", "half"]


def test_each_combination_is_a_case_of_an_envelope(linear: Solved) -> None:
    found = linear.context("worst")
    assert [found.frames.label(i) for i in range(found.frames.n_frames)] == [
        "press · load 0.5", "press · load 1", "sums · all", "sums · half", "heat · load 0.5", "heat · load 1",
    ]  # fmt: skip
    assert found.frames.values.tolist() == [1.0, 1.5, 2.0, 3.0, 4.0, 4.5]
    field = find_field("von_mises")
    each = [linear.context(name) for name in ("press", "sums", "heat")]
    by_hand = [[field.shown(case, "", i) for i in range(case.frames.n_frames)] for case in each]
    largest = [np.max(by_hand[0], axis=0), *by_hand[1], np.max(by_hand[2], axis=0)]
    # The temperature of the cases that have one counts in its stresses, and in no others.
    shown = find_field("maximum(von_mises)").shown(found, "", 0)
    wanted = np.max(largest, axis=0)
    np.testing.assert_allclose(shown, wanted, rtol=0, atol=1e-9 * np.nanmax(wanted))
    number = find_field("case_of_maximum(von_mises)").shown(found, "", 0)
    there = ~np.isnan(wanted)
    np.testing.assert_array_equal(number[there], 1 + np.argmax(largest, axis=0)[there])
    assert len(set(number[there])) > 1


def test_an_envelope_has_the_extremes_over_all_cases_and_steps(contact: Solved) -> None:
    """With contact and friction, of cases preloaded or not, reduced or not: per node and per contact pair."""
    found = contact.context("worst")
    cases = [contact.context(name) for name in ("press", "push", "full")]
    assert found.frames.n_frames == sum(case.frames.n_frames for case in cases)
    for text, joint in (("von_mises", ""), ("displacement", ""), ("pressure", "lap"), ("gap", "lap"),
                        ("friction_stress", "lap")):  # fmt: skip
        field = find_field(text)
        each = [np.array([field.shown(c, joint, i) for i in range(c.frames.n_frames)]) for c in cases]
        size = np.nanmax(np.abs(np.concatenate(each)))
        for function, by_hand in (("maximum", np.max), ("minimum", np.min)):
            wanted = by_hand([by_hand(e, axis=0) for e in each], axis=0)
            shown = find_field(f"{function}({text})").shown(found, joint, 0)
            np.testing.assert_allclose(
                shown, wanted, rtol=0, atol=1e-9 * size, err_msg=f"{function} of {text}"
            )
    report = found.frames.report
    assert list(report["cases"]) == ["1", "2", "3"] and report["cases"]["2"].startswith("push")
    with pytest.raises(ModelError, match="Frames of several load cases do not follow each other"):
        find_field("dissipated_work").shown(found, "lap", 0)
    of_case = find_field("case_of_maximum(pressure)")
    assert set(of_case.shown(found, "lap", 0)) <= {1.0, 2.0, 3.0} and of_case.refusal(found, "lap") is None
    assert "of one load case" in of_case.refusal(cases[0], "lap").message
    with pytest.raises(ModelError, match="of one load case"):
        of_case.shown(cases[0], "lap", 0)


def of_cases(*names: str, **more: object) -> dict[str, object]:
    cases = [{"analysis": name, **more} for name in names]
    return {
        "kind": "combination",
        "name": "sum",
        "body": "plates",
        "combinations": [{"name": "a", "cases": cases}],
    }


def test_contact_makes_a_combination_refuse_and_names_the_joint(contact: Solved) -> None:
    project = edits.add_analysis(of_cases("press", "push"))(contact.project)
    with pytest.raises(ModelError, match="contact in joint 'lap' of 'plates' makes the answers nonlinear"):
        contact.run("sum", project)
    told = [f for f in find_findings(project, contact.store, contact.base) if f.check == "load_cases"]
    assert [(f.severity, f.entity) for f in told] == [("error", ("analyses", 4, "combinations"))]
    assert "'lap'" in told[0].sentence


def test_what_does_not_add_up_is_refused_in_a_sentence(linear: Solved) -> None:
    other = {"kind": "static", "name": "other", "body": "plates", "support": "tip",
             "loads": [{"interface": "hold", "force": [1.0, 0.0, 0.0]}]}  # fmt: skip
    project = edits.add_analysis(other)(linear.project)
    for case, why in (
        (of_cases("press", "other"), "held differently: 'press' at 'hold' and 'other' at 'tip'"),
        (of_cases("press", frame=7), "no frame 7 of 'press' to combine: it has 2 frames"),
    ):
        with pytest.raises(ModelError, match=why):
            linear.run("sum", edits.add_analysis(case)(project))
    missing = edits.add_analysis(of_cases("press", "prss", "worst"))(project)
    told = [f.sentence for f in find_findings(missing, linear.store, linear.base) if f.check == "load_cases"]
    assert len(told) == 2 and "takes the load case 'prss'" in told[0] and "'worst'" in told[1]


def test_names_of_cases_follow_and_studies_come_back(linear: Solved, tmp_path: Path) -> None:
    renamed = edits.rename(("analyses", 0), "pressed")(linear.project)
    assert renamed.analysis("sums").predecessors() == ("pressed", "pull", "heat")
    assert renamed.analysis("worst").cases == ("pressed", "sums", "heat")
    (tmp_path / "again.toml").write_text(study_text(renamed, None), encoding="utf-8")
    again = read_study(tmp_path / "again.toml")
    assert again.analysis("sums") == renamed.analysis("sums")
    assert again.analysis("worst") == renamed.analysis("worst")


def test_new_ones_begin_with_what_is_there() -> None:
    assert Envelope.first_parameters([]) is None and Combination.first_parameters([]) is None
    assert Envelope.first_parameters(["a", "b"]) == {"cases": ("a", "b")}
    words = Combination.first_parameters(["a", "b"])
    assert words is not None
    assert Combination(name="sum", body="plates", **words).predecessors() == ("a", "b")
