"""What a run says of its model: the findings of ``faying check``, once, and only of what it computes."""

import os

import pytest

from faying.cli import main
from faying.examples import examples
from faying.project.file import open_project
from support.plate_deck import BLOW, STUDY, write_plate_deck, write_study

# The end faces of the small plates touch the joint: "hold" rules over a part of it.
RIGID = "makes 5 of the 45 nodes of the master surface of joint 'lap' rigid."
# Node 16 lies in the middle of the lower plate's faying surface.
IN_THE_JOINT = '[[bodies.interfaces]]\nname = "middle"\nnode = 16\n\n[[bodies.joints]]'
INSIDE = "Interface node 'middle' lies on the master surface of joint 'lap'."


def _with_node_in_joint(text: str = STUDY) -> str:
    return text.replace("[[bodies.joints]]", IN_THE_JOINT, 1)


def test_warnings_are_told_once_in_the_words_of_check_before_anything_is_solved(tmp_path, capsys):
    study = write_study(tmp_path)
    assert main(["check", str(study)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("warning body plates, interface node hold: ") and RIGID in line
    assert main(["run", str(study)]) == 0
    told = capsys.readouterr()
    assert told.out == f"written: {tmp_path / 'plates.faying'}\n"
    lines = told.err.splitlines()
    assert lines.count(line) == 1
    solved = [i for i, text in enumerate(lines) if text.startswith(("matrices", "component modes", "reduc"))]
    assert all(lines.index(line) < i for i in solved)


def test_a_run_with_nothing_to_compute_tells_them_again(tmp_path, capsys):
    study = write_study(tmp_path)
    assert main(["run", str(study)]) == 0
    capsys.readouterr()
    assert main(["run", str(tmp_path / "plates.faying")]) == 0
    told = capsys.readouterr()
    assert told.err.count(RIGID) == 1
    assert not any(stage in told.err for stage in ("model …", "contact pairs", "matrices", "component modes"))


def test_notes_are_left_to_check(tmp_path, capsys):
    study = write_study(tmp_path, extra="*STEP\n*STATIC\n*END STEP")
    assert main(["check", str(study)]) == 0
    assert "not read from the deck" in capsys.readouterr().out
    assert main(["run", str(study), "--until", "pairs"]) == 0
    assert "not read from the deck" not in capsys.readouterr().err


def test_an_error_stops_the_run_before_anything_is_solved(tmp_path, capsys):
    study = write_study(tmp_path, _with_node_in_joint())
    assert main(["run", str(study)]) == 1
    told = capsys.readouterr()
    assert told.out == "" and not (tmp_path / "plates.faying").exists()
    assert told.err.count(INSIDE) == 1 and "Traceback" not in told.err
    last = told.err.splitlines()[-1]
    assert last.startswith(f"error: {INSIDE} Hold and load the body away from the joint")
    assert "--despite-errors" in last
    assert "matrices" not in told.err


def test_a_run_despite_errors_tells_them_and_computes(tmp_path, capsys):
    study = write_study(tmp_path, _with_node_in_joint())
    before = dict(os.environ)
    assert main(["run", str(study), "--despite-errors"]) == 0
    assert dict(os.environ) == before  # what follows in the same process is refused as ever
    told = capsys.readouterr()
    assert told.err.count(f"error   body plates, interface node middle: {INSIDE}") == 1
    # What is there is not refused afterwards: such a run may be for writing the file alone.
    again = tmp_path / "again.faying"
    assert main(["run", str(tmp_path / "plates.faying"), "--out", str(again)]) == 0
    assert capsys.readouterr().err.count(INSIDE) == 1
    assert open_project(again).project.bodies[0].interfaces[-1].name == "middle"


def test_several_errors_are_lines_and_a_sentence(tmp_path, capsys):
    study = write_study(tmp_path, turn_inside_out=True)
    assert main(["run", str(study)]) == 1
    lines = capsys.readouterr().err.splitlines()
    errors = [line for line in lines if line.startswith("error   body plates")]
    assert any("point into the body" in line and "master surface" in line for line in errors)
    assert len(errors) > 1
    assert lines[-1].startswith(f"error: There are {len(errors)} errors, so the run was not begun. ")


def test_a_deck_that_cannot_be_read_ends_the_run_with_its_sentence_alone(tmp_path, capsys):
    study = write_study(tmp_path)
    (tmp_path / "plates.inp").write_text("*NODE\n1, zero, 0, 0\n", encoding="utf-8")
    assert main(["run", str(study)]) == 1
    (line,) = [text for text in capsys.readouterr().err.splitlines() if " … " not in text]
    assert line.startswith("error: plates.inp, line 2: ") and "--despite-errors" not in line


SPARE = """
[[bodies]]
name = "spare"
model = { path = "spare.inp" }
interfaces = [{ name = "hold", node_set = "HOLD" }]

[[analyses]]"""


def test_findings_of_what_is_not_run_are_left_out(tmp_path, capsys):
    study = write_study(tmp_path, STUDY.replace("\n[[analyses]]", SPARE, 1))
    write_plate_deck(tmp_path / "spare.inp", modulus=0.0)
    assert main(["check", str(study)]) == 1
    assert "modulus is 0" in capsys.readouterr().out
    assert main(["run", str(study)]) == 0
    told = capsys.readouterr().err
    assert RIGID in told and "spare" not in told


def test_an_analysis_of_nothing_is_an_error_of_its_own_run_alone(tmp_path, capsys):
    study = write_study(tmp_path, STUDY.replace('body = "plates"', 'body = "plate"'))
    assert main(["run", str(study), "--until", "pairs"]) == 0
    assert "there is no body" not in capsys.readouterr().err
    assert main(["run", str(study)]) == 1
    assert "there is no body called 'plate'" in capsys.readouterr().err


def test_errors_of_later_stages_do_not_keep_the_model_from_being_read(tmp_path, capsys):
    study = write_study(tmp_path, STUDY.replace('node_set = "TIP"', 'node_set = "ROOF"'), modulus=0.0)
    assert main(["run", str(study), "--until", "model"]) == 0
    assert main(["run", str(study), "--until", "pairs"]) == 0
    assert "error" not in capsys.readouterr().err
    assert main(["run", str(study), "--until", "matrices"]) == 1
    told = capsys.readouterr().err
    assert "modulus is 0" in told and "ROOF" not in told
    assert main(["run", str(study), "--until", "basis"]) == 1
    assert "ROOF" in capsys.readouterr().err
    # All of it is told when nothing is left out.
    assert main(["check", str(study)]) == 1
    said = capsys.readouterr().out
    assert "modulus is 0" in said and "ROOF" in said


def test_what_only_a_run_can_show_is_told_after_it(tmp_path, capsys):
    """A blow of a microsecond leaves the inertia of the separated modes no time to be small."""
    study = write_study(tmp_path, STUDY + BLOW)
    for file in (study, tmp_path / "plates.faying"):
        assert main(["run", str(file)]) == 0
        told = capsys.readouterr().err
        assert told.count("inertia forces of the separated modes") == 1
        assert told.count(RIGID) == 1


@pytest.mark.slow  # whole demos
@pytest.mark.parametrize("twice", [False, True])
def test_a_demo_tells_them_too(twice, tmp_path, capsys, monkeypatch):
    """A second hinge in the place of the first says nothing new."""
    example = examples["double-pendulum"]

    def build(self, quick: bool = False):
        project = real(self, quick)
        words = project.systems[0].model_dump(mode="json")
        words["constraints"].append({**words["constraints"][0], "name": "pivot again"})
        return project.with_(systems=(words,)) if twice else project

    real = example.build
    monkeypatch.setattr(example, "build", build)
    for shown in ("picture", "film"):  # whose drawing takes longest
        monkeypatch.setattr(example, shown, None)
    assert main(["demo", "double-pendulum", "--quick", "--no-window", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().err.count("warning system double pendulum: ") == int(twice)
