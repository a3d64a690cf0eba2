"""A wrong name is answered by the one that was meant, and by those that there are."""

import pytest

from faying.cli import main
from faying.errors import ModelError, there_are
from faying.joints.contact_laws import contact_laws
from faying.project.serialization import project_from_dict
from faying.testing.plates import write_plate_deck


def test_what_was_meant_comes_first():
    assert (
        there_are("Lap Jont", ["lap joint", "flange"])
        == "Did you mean 'lap joint'? There are: lap joint, flange."
    )
    assert there_are("zzz", ["lap joint"], "Known are") == "Known are: lap joint."
    assert there_are("x", []) == "There are: none."
    assert there_are("b", ["a" * 30, "b" * 30], most=20).endswith("….")


def test_kinds_parameters_and_things_of_a_project():
    with pytest.raises(ModelError, match="Did you mean 'linear_penalty'"):
        contact_laws["linear_penlty"]
    with pytest.raises(ModelError, match="Did you mean 'interfaces'"):
        project_from_dict({"bodies": [{"name": "a", "model": {"path": "a.inp"}, "interface": []}]})
    project = project_from_dict({"bodies": [{"name": "crankcase", "model": {"path": "a.inp"}}]})
    with pytest.raises(ModelError, match="Did you mean 'crankcase'"):
        project.body("crank case")


def test_examples(capsys):
    assert main(["demo", "fricton-bar"]) == 1
    assert "Did you mean 'friction-bar'?" in capsys.readouterr().err


def test_errors_of_a_study_name_their_line_and_what_a_vector_takes(tmp_path, capsys):
    text = '''# texts with [[brackets]] are no tables
name = """
[[bodies]] of "two" lines"""

[[bodies]]
name = "bar"
model = { path = "bar.inp" }

[[analyses]]
kind = "static"
name = "pull"
body = "bar"
loads = [
  { interface = "tip", force = [1, 2] },
]
moments = 3

[[analyses]]
name = "unkind"
'''
    study = tmp_path / "bar.toml"
    study.write_text(text, encoding="utf-8")
    assert main(["check", str(study)]) == 1
    said = capsys.readouterr().err
    lines = text.splitlines()
    for word, sentence in (
        ("loads = [", "analyses[0].loads[0]: Load: force takes three numbers (given: 2 values)."),
        ('name = "unkind"', "analyses[1]: the kind is missing."),
    ):
        number = next(i for i, line in enumerate(lines, 1) if line.startswith(word))
        # A kind that is missing belongs to the table, which begins a line before its name.
        assert f"line {number - (word[0] == 'n')}: {sentence}" in said
    assert "Spec" not in said


def test_names_of_a_deck_and_of_a_body(tmp_path, capsys):
    write_plate_deck(tmp_path / "plates.inp")
    study = tmp_path / "plates.toml"
    study.write_text(
        """
[[bodies]]
name = "plates"
model = { path = "plates.inp" }
interfaces = [{ name = "tip", node_set = "TIPP" }, { name = "hold", node_set = "HOLD" }]
materials = [{ kind = "library", name = "steel", element_set = "PLATE_1" }]

[[bodies.joints]]
name = "lap"
master = { kind = "deck_surface", name = "LOWR" }
slave = { kind = "deck_surface", name = "UPPER" }

[[analyses]]
kind = "static"
name = "press"
body = "plates"
support = "hald"
""",
        encoding="utf-8",
    )

    def said():
        assert main(["check", str(study)]) == 1
        return " ".join(capsys.readouterr())

    first = said()
    assert "Did you mean 'PLATE1'" in first and "Did you mean 'hold'" in first
    study.write_text(study.read_text(encoding="utf-8").replace("PLATE_1", "PLATE1"), encoding="utf-8")
    second = said()
    assert "Did you mean 'TIP'" in second and "Did you mean 'LOWER'" in second
