"""Errors of motions and the statements on them, on made-up motions; models of the examples that these are of."""

from importlib.resources import files
from runpy import run_path

import numpy as np
import pytest

from faying.examples import examples
from faying.examples._cap_joint_motion import JointMotion
from faying.examples._convergence import DERIVATIVES
from faying.examples._dynamics import BarMotion, error_table, statement_table
from faying.examples.measured import with_body
from faying.project.pipeline import Pipeline
from faying.project.stage import Target
from faying.project.stages import STAGES

RESOURCES = files("faying_resources") / "examples"
TIME = np.linspace(0.0, 0.1, 401)
COUNTS = (0, 5, 20, 50)
THESIS = {
    "pod": (0.05, 0.005, 0.001),
    "weighted_pod": (0.05, 0.005, 0.001),
    "pod_of_forces": (0.31, 0.1, 0.009),
}


def motion(error, period=0.02):
    course = 1.0 - np.cos(2.0 * np.pi * TIME / period)
    return BarMotion(TIME, 12.0 * (1.0 + error) * course, 5.0 * (1.0 + error) * course)


def as_in_the_thesis(errors=THESIS):
    none = {(method, 0): motion(0.2, period=0.018) for method in DERIVATIVES}
    some = {(m, g): motion(e) for m in DERIVATIVES for g, e in zip(COUNTS[1:], errors[m], strict=True)}
    return none | some


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


def test_every_statement_reproduces_on_motions_like_the_thesis():
    table = statement_table(as_in_the_thesis(), motion(0.0))
    assert [row[2] for row in table.rows] == ["yes"] * 10


def test_statements_fail_where_motions_contradict():
    table = statement_table(as_in_the_thesis(dict.fromkeys(DERIVATIVES, (0.2, 0.1, 0.08))), motion(0.0))
    said = {row[0]: row[2] for row in table.rows}
    assert said["z_L: both are below 1 % with g = 20"] == "NO"
    assert said["z_L: POD of forces is below 5 % first with g = 50"] == "NO"


def test_error_table_has_a_row_for_each_method_and_criterion():
    table = error_table(as_in_the_thesis(), motion(0.0))
    assert table.heads[2:] == ("g = 0", "g = 5", "g = 20", "g = 50")
    row = next(r for r in table.rows if r[:2] == ("pod", "largest z_L"))
    assert row[3:] == (5.0, 0.5, 0.1)


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
