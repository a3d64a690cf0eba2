"""Facts of runs with verdicts, and the words of numbers."""

import pytest

from faying.results.key_results import KeyResult, number_text
from faying.results.verdicts import facts_of, percent


def verdicts(report):
    return {fact.title: (fact.text, fact.verdict) for fact in facts_of(report, "mm-t-s")}


@pytest.mark.parametrize(
    ("lost", "verdict"),
    [(0.007, "good"), (-0.9, "good"), (5.0, "acceptable"), (-12.0, "doubtful"), (float("nan"), "doubtful")],
)
def test_the_energy_error_is_judged_by_its_share(lost, verdict):
    told = verdicts({"energy_balance": {"taken by the integration": lost, "turned over": 100.0}})
    text, found = told["Energy error of the time integration"]
    assert found == verdict
    if lost == 0.007:
        assert text == "0.007 % of the 100 N·mm that were turned over"


def test_estimates_constraints_and_steps_are_judged():
    told = verdicts(
        {
            "error_estimate": {"motion": 0.0006, "force": 0.03, "pressure": 0.2},
            "missed_constraint": {"length": 1e-9, "size": 100.0},
            "steps": 100, "smallest_step": 1e-9, "largest_step": 1e-4, "tiny_steps": 3, "rejected_by_iteration": 6,
            "shortened_steps": 50, "shortened_time": 1e-3, "last_time": 2e-3,
        }
    )  # fmt: skip
    assert told["Estimated error of the motion"] == ("0.06 % against the FE model", "good")
    assert told["Estimated error of the normal force"][1] == "acceptable"
    assert told["Estimated error of the pressure"][1] == "doubtful"
    assert told["Constraints are missed by"] == ("1e-09 mm at most", "good")
    assert told["Time steps"][1] == "doubtful"
    assert told["Corrections"] == (
        "6 of 106 tries of a time step did not converge, which kept steps at 2e-05 s for 50 % of the time",
        "acceptable",
    )


def test_numbers_are_written_for_people():
    assert percent(1e-15) == "less than 0.001 %" and percent(0.0) == "0 %" and percent(0.125) == "12 %"
    assert number_text(23000.0) == "23\u202f000" and number_text(-0.05223) == "−0.05223"
    assert KeyResult("a", 0.77, "").text("mm-t-s") == "77 %"
    assert KeyResult("a", 1.25, "ratio").text("mm-t-s") == "1.25"
    assert KeyResult("a", 2.0, "stress").text("mm-t-s") == "2 N/mm²"
