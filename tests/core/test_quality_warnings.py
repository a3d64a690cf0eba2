"""A run whose numbers cannot be trusted is doubtful, and everything that shows it says so."""

import json
import math

import pytest

import faying
from faying.cli import main
from faying.progress import Silent
from faying.project.file import open_project
from faying.project.pipeline import Pipeline
from faying.project.stage import target_of
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.results.quality_warnings import find_warnings
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from support.plate_deck import STUDY, write_study
from support.systems import BAR, DOWN_Y, moved, system_of

TRANSIENT = """
[[analyses]]
kind = "transient"
name = "drop"
body = "plates"
support = "hold"
duration = 2e-3
frames = 10
loads = [{ interface = "tip", force = [0.0, 0.0, -5.0], time_history = { kind = "haversine", rise_time = 1e-4 } }]
"""
FREE = {**BAR, "name": "bar", "placement": {"spin": (0, 0, 2000.0)}}
DEFAULTS = {"alpha": -0.3, "tolerance": 1e-4, "first_step": 1e-6, "largest_step": 5e-4}


LONG_STEPS = 'integrator = { kind = "hht", fixed_step = true, largest_step = 2e-4 }'


def study_of(folder, analysis=TRANSIENT):
    text = STUDY[: STUDY.index("[[analyses]]")].replace("stiffness = 5000.0", "stiffness = 5e4")
    return write_study(folder, text + analysis)


@pytest.mark.parametrize(
    ("settings", "report", "says"),
    [
        ({}, {"energy_balance": {"taken by the integration": 0.11, "turned over": 1.0}}, "lost 11 % of"),
        ({}, {"energy_balance": {"taken by the integration": -0.12, "turned over": 1.0}}, "made 12 % of"),
        ({}, {"energy_balance": {"taken by the integration": 0.09, "turned over": 1.0}}, ""),
        ({}, {"energy_balance": {"taken by the integration": -0.09, "turned over": 1.0}}, ""),
        ({}, {"energy_balance": {"taken by the integration": 0.0, "turned over": 0.0}}, ""),
        ({}, {"energy_balance": {"work of forces": math.nan}}, "work of forces is none"),
        ({}, {"large_rotations": {"hold": 0.6, "tip": 0.9}}, "'tip' turns by 51.6°"),
        ({}, {"not_a_number": "coordinates at frame 3"}, "coordinates at frame 3 is none"),
        ({}, {"steps": 9, "tiny_steps": 2, "smallest_step": 1e-12}, "2 of 9 steps"),
        ({}, {"missed_constraint": {"name": "pin", "time": 1.0, "length": 2e-3, "size": 1.0}}, "by 0.2 % of the"),
        ({}, {"missed_constraint": {"name": "pin", "time": 1.0, "length": 1e-4, "size": 1.0}}, ""),
        ({"accuracy": 1e-3, "most_corrections": 2}, {"largest_last_correction": 0.01}, "last of 2 corrections"),
        (
            {"accuracy": 1e-3, "most_corrections": 10}, {"largest_last_correction": 0.01, "corrections": [2, 2]},
            "still 1 % out of balance",
        ),
        ({"accuracy": 1e-3}, {"largest_last_correction": 1e-4}, ""),
        ({}, {"unstable_equilibria": {"count": 1, "part": "bar", "time": 0.5}}, "t = 0.5 is unstable: part 'bar'"),
        ({}, {"unstable_equilibria": {"count": 2, "part": "bar", "time": 0.0}}, "1 later one is unstable, too."),
        ({}, {"unstable_equilibria": {"count": 3, "part": "bar", "time": 0.0}}, "2 later ones are unstable, too."),
        ({}, {"start_warnings": ["It broke."]}, "continues from a doubtful result. It broke."),
        ({}, {"trouble": ["The mode ends after 3 amplitudes."]}, "The mode ends after 3 amplitudes."),
        ({}, {"largest_closure": 0.02}, "After eight periods the friction stress of a pair still changes by 2 %"),
        ({}, {"largest_closure": 1e-6}, ""),
        ({}, {"largest_loop_closure": 9e-4}, ""),
        ({}, {"most_slipping_pairs": 3, "largest_imbalance": 0.01}, "The work of the loads over a period differs"),
        ({}, {"iterations": 4}, ""),
    ],
)  # fmt: skip
def test_a_report_contains_its_warnings(settings, report, says):
    sentences = " ".join(warning.sentence for warning in find_warnings(settings, report))
    assert says in sentences and bool(says) == bool(sentences)


def test_numbers_that_are_none_are_found_where_they_are_written(tmp_path):
    with ResultsWriter(tmp_path / "it.h5", axis="time", sizes={"coordinates": 2}, joints={}) as writer:
        writer.append(0.0, coordinates=[1.0, 2.0])
        writer.append(1.0, coordinates=[1.0, math.nan])
        writer.close({})
    assert "coordinates at frame 1" in Results(tmp_path / "it.h5").warnings[0].sentence


def test_doubts_that_were_asked_for_while_it_ran_are_there_when_it_has_ended(tmp_path):
    with ResultsWriter(tmp_path / "it.h5", axis="time", sizes={"coordinates": 1}, joints={}) as writer:
        writer.append(0.0, coordinates=[1.0])
        writer.flush()
        results = Results(tmp_path / "it.h5")
        assert results.warnings == ()
        writer.append(1.0, coordinates=[math.inf])
        writer.close({})
    results.refresh()
    assert "coordinates at frame 1" in results.warnings[0].sentence and results.warnings is results.warnings
    results.close()


def test_steps_that_are_too_long_are_doubtful_wherever_they_are_shown(tmp_path, capsys):
    """A sixth of the energy that is turned over is lost, on every processor (forces of a contact that is far too stiff
    are round-off, and lose seven per cent on one and eleven on another)."""
    long = TRANSIENT.replace("duration = 2e-3", f"duration = 1e-2\n{LONG_STEPS}")
    study, project = study_of(tmp_path, long), tmp_path / "plates.faying"
    assert main(["run", str(study)]) == 1
    told = capsys.readouterr()
    assert told.out == f"written: {project}\n"  # whoever wants to look at it can
    sentence = "The result of 'drop' is doubtful. The time integration "
    assert told.err.count(sentence) == 1 and told.err.splitlines()[-1] == "doubtful: drop"
    assert main(["run", str(project)]) == 1  # computes nothing
    assert main(["check", str(project)]) == 0
    assert sentence in capsys.readouterr().out
    assert main(["info", str(project)]) == 0
    info = capsys.readouterr().out
    assert "analysis drop (transient): doubtful" in info and "The time integration " in info
    assert main(["info", str(project), "--json"]) == 0
    (analysis,) = json.loads(capsys.readouterr().out)["analyses"]
    assert analysis["status"] == "doubtful" and "time integration " in analysis["warnings"][0]
    assert main(["report", str(project), "--to", str(tmp_path / "it.html")]) == 0
    assert "Doubtful. The time integration " in (tmp_path / "it.html").read_text(encoding="utf-8")
    opened = open_project(project).project
    state = Pipeline(STAGES).state(
        opened, target_of(opened.analyses[0]), ArtifactStore(tmp_path / "store", below=project), tmp_path
    )
    assert state.status == "ready" and state.word == "doubtful"


def test_steps_that_make_sense_are_not(tmp_path, capsys):
    assert main(["run", str(study_of(tmp_path))]) == 0
    assert "doubtful" not in capsys.readouterr().err


def test_a_body_that_spins_fast_keeps_its_energy_by_default(tmp_path):
    """Theorem: nothing acts on it; 32 turns."""
    results = moved(system_of(parts=[FREE]), tmp_path, 0.1, frames=4, **DEFAULTS)
    energy = results.curve("total energy")
    assert energy[-1] == pytest.approx(energy[0], rel=2e-3)
    assert not results.warnings


def test_a_body_that_turns_too_far_within_a_step_is_doubtful(tmp_path):
    results = moved(system_of(parts=[FREE]), tmp_path, 0.1, frames=4, **DEFAULTS, fixed_step=True)
    assert "lost" in results.warnings[0].sentence


HINGE = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "bar.left"}


def test_a_pendulum_in_steps_that_are_too_long_is_doubtful(tmp_path):
    spec = system_of(
        parts=[{**BAR, "name": "bar", "placement": {"position": (0.5, 0, 0)}}], gravity=DOWN_Y, constraints=[HINGE]
    )  # fmt: skip
    results = moved(spec, tmp_path, 3.0, frames=60, alpha=-0.3, largest_step=0.3, fixed_step=True)
    assert "lost" in results.warnings[0].sentence
    # What is drawn between steps holds together all the same.
    assert results.report["worst_constraint"] < 1e-8
    assert results.curve("constraint violation").max() < 1e-8


def test_what_goes_on_from_a_doubtful_motion_is_doubtful(tmp_path):
    from faying.analyses import SystemModel, analyses
    from faying.params import build

    spec = system_of(parts=[FREE])
    first = moved(spec, tmp_path, 0.02, frames=4, **{**DEFAULTS, "largest_step": 5e-4}, fixed_step=True)
    assert first.warnings
    words = {"name": "on", "system": "system", "duration": 1e-4, "frames": 1, "start_from": "run"}
    build(analyses["motion"], words).run(SystemModel(spec, {}, first), tmp_path / "on.h5", Silent())
    (warning,) = Results(tmp_path / "on.h5").warnings
    assert warning.sentence.startswith("It continues from a doubtful result. The time integration")


def test_a_plate_that_turns_like_a_page_is_doubtful(tmp_path):
    """A load with the wrong unit bends it by more than linear elasticity can."""
    load = """
[[analyses]]
kind = "static"
name = "pressed"
body = "plates"
support = "hold"
loads = [{ interface = "tip", force = [0.0, 0.0, "1e9 N"] }]
"""
    path = study_of(tmp_path, load)
    for force, doubtful in (("1e9 N", True), ("1 N", False)):
        path.write_text(path.read_text().replace("1e9 N", force))
        session = faying.read(path, artifacts=tmp_path / "artifacts")
        found = " ".join(session.solve("pressed").warnings)
        assert ("small rotations alone" in found) is doubtful, found
