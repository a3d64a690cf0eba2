"""Study files: TOML in the words of the forms, there and back."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from faying.analyses.sweep import VariedDecision
from faying.errors import FayingError, ModelError, ReadError
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.project import edits
from faying.project.serialization import project_from_dict
from faying.project.specs import Project
from faying.project.study import read_study, study_of, study_text, with_absolute_decks, write_study
from support.synthetic_stages import bar

TEXT = """
name = "two sheets"
units = "mm-t-s"

[[bodies]]
name = "bar"
model = { path = "decks/bar.inp" }
interfaces = [{ name = "HOLD", node_set = "REF" }, { name = "TIP", node = 12 }]

[[bodies.joints]]
name = "overlap"
master = { kind = "deck_surface", name = "A" }
slave = { kind = "deck_surface", name = "B" }
search = { distance = "0.2 cm" }
contact_law = { kind = "linear_penalty", stiffness = "50 kN/mm^3" }
friction_law = { kind = "coulomb" }

[[analyses]]
kind = "transient"
name = "step"
body = "bar"
support = "HOLD"
duration = "100 ms"
"""


def test_a_study_by_hand(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(TEXT)
    project = read_study(path)
    joint = project.bodies[0].joints[0]
    assert joint.search.distance == pytest.approx(2.0)
    assert joint.contact_law.stiffness == pytest.approx(50_000.0)
    assert joint.friction_law.kind == "coulomb"
    assert project.analyses[0].duration == pytest.approx(0.1)
    assert project.bodies[0].model.path == str(tmp_path / "decks" / "bar.inp")


def test_there_and_back_is_the_same_project(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(TEXT)
    project = edits.set_value(("note",), 'first line\nsecond "line" \\ end')(read_study(path))
    write_study(project, tmp_path / "again.toml")
    assert read_study(tmp_path / "again.toml") == project
    text = (tmp_path / "again.toml").read_text()
    assert "decks/bar.inp" in text and str(tmp_path) not in text  # inside the folder: relative
    # Defaults stand there: a later one must not change what was decided. What is empty does not.
    assert "edge_tolerance" in text and "vibration_modes" in text
    assert "strengths" not in text and "stiffness_file" not in text
    (tmp_path / "elsewhere").mkdir()
    write_study(project, tmp_path / "elsewhere" / "third.toml")
    assert read_study(tmp_path / "elsewhere" / "third.toml") == project


def test_relative_decks_of_a_script_count_from_its_base(tmp_path):
    project = bar(deck="bar.inp")
    write_study(project, tmp_path / "study.toml", base=tmp_path / "decks")
    assert read_study(tmp_path / "study.toml") == with_absolute_decks(project, tmp_path / "decks")


def test_words_in_a_script_take_units_as_a_study_does(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(TEXT)
    words = tomllib.loads(TEXT)
    words["bodies"][0]["model"]["path"] = str(tmp_path / "decks" / "bar.inp")
    assert words["analyses"][0]["duration"] == "100 ms"
    assert Project.model_validate(words) == read_study(path)
    load = {"interface": "HOLD", "force": [0.0, 0.0, "0.1 kN"]}
    words["analyses"][0]["loads"] = [load]
    for system, force in (("mm-t-s", 100.0), ("mm-kg-ms", 0.1)):
        project = Project.model_validate({**words, "units": system})
        assert project.analyses[0].loads[0].force == pytest.approx((0.0, 0.0, force))
    with pytest.raises(ModelError, match=r"'0\.1 mm' is not a force"):
        Project.model_validate(
            {**words, "analyses": [{**words["analyses"][0], "loads": [{**load, "force": [0, 0, "0.1 mm"]}]}]}
        )
    edited = edits.add_joint("bar", {**words["bodies"][0]["joints"][0], "name": "other"})(read_study(path))
    assert edited.bodies[0].joints[1].search == edited.bodies[0].joints[0].search


@pytest.mark.parametrize("text", ["a\r\nb", "a\rb\n", "\r\n", "'''\r\na\\"])
def test_texts_of_several_lines_come_back_as_they_are(text):
    """In TOML a carriage return before a line feed is none, so that no text has one."""
    project = Project(note=text, name=text)
    assert study_of(study_text(project, None), Path("study.toml")) == project
    assert project.note == text.replace("\r\n", "\n")
    varied = {"decision": "bodies.b.c.d", "values": ["a\r\nb"]}
    assert VariedDecision.model_validate(varied).values == ("a\nb",)


def test_an_empty_study_is_the_default_project(tmp_path):
    (tmp_path / "empty.toml").write_text("")
    assert read_study(tmp_path / "empty.toml") == Project()


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('name = "two sheets"', 'name = "two sheets', 2, "not TOML"),
        ("= { distance", "= { distance = 1,,", 14, "not TOML"),
        ('"0.2 cm"', '"0.2 kg"', None, "bodies[0].joints[0].search.distance: '0.2 kg' is not a length"),
        ('"50 kN/mm^3"', "-1", None, "bodies[0].joints[0].contact_law"),
        ('"50 kN/mm^3"', "-1", None, "greater than 0"),
        ('"linear_penalty"', '"quadratic"', None, "no contact law called 'quadratic'"),
        ('kind = "linear_penalty", ', "", None, "contact_law: the kind is missing"),
        ("search =", "serach =", None, "no parameter 'serach'"),
        ('model = { path = "decks/bar.inp" }', "", None, "'model' is missing"),
        ('model = { path = "decks/bar.inp" }', "model = 3", None, "bodies[0]"),
        ('name = "TIP"', 'name = "HOLD"', None, "used twice"),
        ("units =", "schema_version = 99\nunits =", None, "newer Faying (schema 99"),
        ("units =", "schema_version = 2\nunits =", None, "before the first release"),
        ("units =", 'schema_version = "x"\nunits =', None, "not a schema number"),
        (
            'units = "mm-t-s"',
            'units = "mm"',
            None,
            "units: Input should be 'mm-t-s', 'm-kg-s', 'mm-kg-ms' or 'in-lbf-s'",
        ),
        (
            'units = "mm-t-s"',
            "units = 5",
            None,
            "units: Input should be 'mm-t-s', 'm-kg-s', 'mm-kg-ms' or 'in-lbf-s'",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, old, new, line, words):
    path = tmp_path / "study.toml"
    assert old in TEXT
    path.write_text(TEXT.replace(old, new, 1))
    with pytest.raises(ReadError) as caught:
        read_study(path)
    assert words in str(caught.value) and "study.toml" in str(caught.value)
    if line is not None:
        assert f"line {line}" in str(caught.value)


def test_files_that_are_no_studies(tmp_path):
    with pytest.raises(ReadError, match="no such study"):
        read_study(tmp_path / "none.toml")
    with pytest.raises(ReadError, match="folder"):
        read_study(tmp_path)
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ReadError, match="not a text file"):
        read_study(tmp_path / "b.toml")
    with pytest.raises(FayingError, match="could not be written"):
        write_study(Project(), tmp_path / "missing" / "study.toml")


def test_an_optional_member_can_be_switched_off_in_words(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(TEXT.replace('friction_law = { kind = "coulomb" }', 'friction_law = "none"'))
    assert read_study(path).bodies[0].joints[0].friction_law is None


def test_values_that_are_refused_are_told_as_they_were_written():
    """However deep they stand; bounds of angles are told in degrees, as angles are where they were plain numbers."""

    def refused(**words):
        part = {"kind": "rigid", "name": "p", "mass": 1.0, **words.pop("part", {})}
        contact = {"name": "c", "master": "ground.a", "slave": "p.b", **words}
        with pytest.raises(ModelError) as caught:
            project_from_dict(
                {"units": "m-kg-s", "systems": [{"name": "s", "parts": [part], "contacts": [contact]}]}
            )
        return str(caught.value)

    assert "reach: Input should be greater than or equal to 0 (given: -5 mm)." in refused(reach="-5 mm")
    assert "mass: Input should be greater than 0 (given: -3 g)." in refused(part={"mass": "-3 g"})
    assert "(given: -0.005)." in refused(reach=-0.005)
    for angle, told in (("50 deg", "50 deg"), ("1 rad", "1 rad"), (np.pi / 3.0, "60 deg")):
        wanted = f"pressure_angle: Input should be less than 45 deg (given: {told})."
        assert wanted in refused(gears={"pressure_angle": angle})
    # As edits and scripts build them, from tables in each other.
    contact = {"name": "c", "master": "ground.a", "slave": "p.b", "gears": {"pressure_angle": np.pi / 3.0}}
    with pytest.raises(
        ModelError, match=r"contacts\[0\]\.gears\.pressure_angle: .* 45 deg \(given: 60 deg\)"
    ):
        build(SystemSpec, {"name": "s", "contacts": [contact]})
