"""What the properties tell of a run."""

from types import SimpleNamespace

import pytest

from faying.analyses.static import Static
from faying.params import build
from faying_app.item_models.properties import _analysis


def test_facts_of_a_run_have_verdicts_instead_of_bare_digits():
    report = {
        "steps": 20, "iterations": 95, "redundant_equations": [], "contacts": {"mesh": {"most_closed": 9}},
        "missed_constraint": {"name": "Euler parameters", "length": 2e-14, "size": 196.0},
        "joints": {"mesh": {"closed share": [0.0, 1.0]}},
    }  # fmt: skip
    results = SimpleNamespace(n_frames=21, complete=True, report=report)
    project = SimpleNamespace(units="mm-t-s")
    context = SimpleNamespace(project=project, computed=SimpleNamespace(results=lambda _name: results))
    assert dict(_analysis(context, "a pitch")) == {
        "Frames": "21", "Constraints are missed by": "2e-14 mm at most: good", "Equilibria": "20 with 95 iterations",
        "Redundant equations": "none: good",
    }  # fmt: skip


def test_facts_are_words_for_people_and_no_list_of_the_report():
    report = {
        "steps": 8, "forces": {"x": [1.0 / 3.0] * 500}, "jacobians": 89, "rejected_by_error": 0,
        "redundant_equations": ["hinge x", "hinge y"], "friction": "acts in lap", "degrees_of_freedom": 43,
        "separated_modes": 38, "friction_beyond_limit": {"lap": 0.2}, "start_warnings": ["It did not converge."],
    }  # fmt: skip
    results = SimpleNamespace(n_frames=9, complete=True, report=report)
    project = SimpleNamespace(units="mm-t-s")
    context = SimpleNamespace(project=project, computed=SimpleNamespace(results=lambda _name: results))
    assert dict(_analysis(context, "mesh")) == {
        "Frames": "9", "Equilibria": "8 with 0 iterations",
        "Redundant equations": "2, whose reactions are not unique: hinge x, hinge y: acceptable",
        "At the start": "It did not converge.: doubtful", "Friction": "acts in lap",
        "Spring of friction in 'lap'": "bears up to 20 % of the sticking limit, on top of it: acceptable",
        "Size of the system": "43 degrees of freedom; 38 modes are fast and follow without vibrating",
    }  # fmt: skip


@pytest.mark.parametrize(("kind", "said"), [("running", "2 so far"), ("partial", "2 (interrupted)")])
def test_a_run_that_goes_on_is_not_called_interrupted(kind, said):
    analysis = build(Static, {"name": "press", "body": "plates"})
    project = SimpleNamespace(units="mm-t-s", analysis=lambda _name: analysis)
    computed = SimpleNamespace(
        results=lambda _name: SimpleNamespace(n_frames=2, complete=False, report={}),
        state=lambda _target: SimpleNamespace(kind=kind),
    )
    assert dict(_analysis(SimpleNamespace(project=project, computed=computed), "press")) == {"Frames": said}
