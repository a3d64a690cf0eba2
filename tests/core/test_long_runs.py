"""Runs that would end late or never are told: by the checks before they begin, and at their pace once they have."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from faying.analyses import analyses
from faying.analyses.recording.run_length import least_length
from faying.cli import main
from faying.params import build
from faying.project.checks import CheckedProject, checks
from faying.project.study import read_study
from support.plate_deck import STUDY, write_study

BODY = STUDY.partition("[[analyses]]")[0]
SHAKE = """
[[analyses]]
kind = "transient"
name = "shake"
body = "plates"
support = "hold"
duration = {duration}
frames = 10
integrator = {{ kind = "hht", alpha = -0.05, largest_step = {step} }}
loads = [{{ interface = "tip", force = [0.0, 0.0, -{force}], time_history = {{ kind = "haversine" }} }}]
"""


def study(folder: Path, duration: float = 0.1, step: float = 5e-4, force: float = 20.0) -> Path:
    return write_study(folder, BODY + SHAKE.format(duration=duration, step=step, force=force))


@pytest.mark.parametrize("words", [{"step": 1e-30}, {"duration": 1e15}])
def test_a_run_that_can_never_end_is_not_begun(tmp_path: Path, capsys, words) -> None:
    assert main(["run", str(study(tmp_path, **words))]) == 1
    assert "years" in capsys.readouterr().err
    assert not (tmp_path / "plates.faying").exists()


def test_a_run_of_days_is_told_by_the_check(tmp_path: Path, capsys) -> None:
    main(["check", str(study(tmp_path, duration=1e6))])
    said = capsys.readouterr().out
    assert "at least 2e+09 time steps, which take 2 days at 0.1 ms each (few are faster)" in said
    main(["check", str(study(tmp_path))])
    assert "time steps" not in capsys.readouterr().out


@pytest.mark.parametrize(("step", "severity"), [(1e-6, []), (1e-11, ["warning"]), (1e-14, ["error"])])
def test_how_grave_it_is_depends_on_the_time_that_it_takes(
    tmp_path: Path, step: float, severity: list
) -> None:
    checked = CheckedProject(read_study(study(tmp_path, step=step)), tmp_path)
    assert [found.severity for found in checks["long_runs"](checked)] == severity


def test_what_the_last_run_took_is_what_the_next_one_is_judged_by() -> None:
    analysis = build(analyses["transient"], {"name": "a", "body": "b", "support": "c", "duration": 100.0})
    assert least_length(analysis, {}).seconds == pytest.approx(20.0)
    report = {"steps": 200_000, "processor_seconds": 400.0}
    assert least_length(analysis, report).seconds == pytest.approx(400.0)
    static = build(analyses["static"], {"name": "a", "body": "b", "support": "c"})
    assert least_length(static, report) is None
    shorter = build(analyses["transient"], {"name": "a", "body": "b", "support": "c", "duration": 1.0})
    assert least_length(shorter, {}).sentence.startswith("at least 2000 time steps")


def test_a_run_whose_steps_stay_short_says_how_long_it_takes(tmp_path: Path) -> None:
    """A load of 1e15 N passes every check of the decisions: the steps are short because of their errors."""
    path = study(tmp_path, force=1e15, duration=1.0)
    run = subprocess.Popen(
        [sys.executable, "-m", "faying", "run", str(path)], stderr=subprocess.PIPE, text=True,
        env={**os.environ, "FAYING_HOME": str(tmp_path)},
    )  # fmt: skip
    try:
        assert run.stderr is not None
        told = next((line for line in run.stderr if "at the pace" in line), "")
    finally:
        run.kill()
        run.communicate()
    assert told.startswith("analysis shake: at the pace of its first steps it takes ") and " steps" in told
