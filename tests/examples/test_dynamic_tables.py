"""Errors of motions and the statements on them, on made-up motions; models of the examples that these are of."""

from importlib.resources import files
from runpy import run_path

import numpy as np
import pytest

from faying.examples import examples
from faying.examples._cap_joint_motion import JointMotion
from faying.examples.measured import BarMotion, with_body
from faying.project.pipeline import Pipeline
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.studies.friction_bar_dynamics import CRITERIA, DERIVATIVES, STATEMENTS, SwingErrors

RESOURCES = files("faying_resources") / "examples"
TIME = np.linspace(0.0, 0.1, 401)


def motion(error, period=0.02):
    history = 1.0 - np.cos(2.0 * np.pi * TIME / period)
    return BarMotion(TIME, 12.0 * (1.0 + error) * history, 5.0 * (1.0 + error) * history)


def test_errors_are_shares_of_the_largest_value():
    reference = motion(0.0)
    assert motion(0.03).tip_error(reference) == pytest.approx(0.03)
    assert motion(-0.03).gap_error(reference) == pytest.approx(0.03)
    assert motion(0.03).swing_error(reference) == pytest.approx(0.03)
    assert (
        motion(0.0, period=0.025).tip_error(reference)
        > 0.3
        > motion(0.0, period=0.025).swing_error(reference)
    )
    assert reference.period() == pytest.approx(0.02, rel=0.01)


def errors_like(twenty, fifty):
    """Errors by criterion, method and number of joint modes: as printed with g = 5, then as given."""
    five = {"weighted_pod": 0.05, "pod": 0.05, "pod_of_forces": 0.35}
    of_methods = {
        m: {"0": 0.2, "5": five[m], "20": twenty, "30": 2 * fifty, "50": fifty} for m in DERIVATIVES
    }
    of_methods["pod_of_forces"] |= {"20": 0.2, "30": 0.1}
    return dict.fromkeys(CRITERIA, of_methods)


def test_every_statement_holds_on_motions_like_the_thesis():
    found = SwingErrors(errors_like(0.005, 0.004), 0.1)
    assert [str(s.judge(found)[1]) for s in STATEMENTS] == ["holds"] * len(STATEMENTS)


def test_statements_do_not_hold_where_motions_contradict():
    found = SwingErrors(errors_like(0.1, 0.08), 0.1)
    said = {s.said: str(s.judge(found)[1]) for s in STATEMENTS}
    assert said["z_L: POD of TVDs is below 1 % with g = 20"] == "does not"
    assert said["z_L: POD of forces is below 5 % first with g = 50"] == "does not"
    near = SwingErrors(errors_like(0.0099, 0.004), 0.1)
    said = {s.said: str(s.judge(near)[1]) for s in STATEMENTS}
    assert said["z_L: POD of TVDs is below 1 % with g = 20"] == "undecided"


def test_a_motion_is_cut_where_figures_end():
    cut = motion(0.0).until(0.05)
    assert cut.time[-1] == pytest.approx(0.05) and len(cut.tip) == len(cut.gaps) == len(cut.time) == 201


def test_errors_of_a_joint_over_time():
    pressure = np.outer(TIME, (1.0, 3.0))
    reference = JointMotion(2.0 + TIME, 10.0 + TIME, pressure)
    other = JointMotion(2.0 + 2.0 * TIME, 10.0 - TIME, 0.9 * pressure)
    assert other.gap_norm_error(reference) == pytest.approx(0.1 / 2.1)
    assert other.force_error(reference) == pytest.approx(0.2 / 10.1)
    assert other.pressure_error(reference) == pytest.approx(0.1)
    assert reference.pressure_error(reference) == 0.0


def test_the_slider_crank_without_preload_mode_shares_all_but_the_basis():
    project, pipeline = examples["slider-crank"]().build(quick=True), Pipeline(STAGES)
    without = with_body(project, preload_modes=False)
    for stage, shared in (("components", True), ("preload", True), ("basis", False), ("body", False)):
        keys = {pipeline.key_of(p, Target(stage, "rod")) for p in (project, without)}
        assert (len(keys) == 1) == shared, stage


def test_the_deck_of_the_flex_plates_is_what_its_script_writes(tmp_path):
    write_deck = run_path(str(RESOURCES / "make_flex_plates.py"))["write_deck"]
    write_deck(tmp_path / "again.inp")
    assert (tmp_path / "again.inp").read_text() == (RESOURCES / "flex_plates.inp").read_text()
