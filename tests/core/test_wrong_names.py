"""A wrong name is answered by the one that was meant, and by those that there are."""

import pytest

from faying.cli import main
from faying.errors import ModelError, there_are
from faying.joints.contact_laws import contact_laws
from faying.project.serialization import project_from_dict


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
