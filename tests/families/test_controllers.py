"""Contract of the controllers, loops that are refused, and what the check says of them."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from faying.errors import ModelError
from faying.multibody.controllers import controllers
from faying.multibody.measures import in_order
from faying.params import build
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.testing import ControllerContract
from support.systems import BAR, system_of


class TestControllers(ControllerContract):
    samples: ClassVar[dict[str, Any]] = {
        "pid": {"integral": 3.0, "derivative": 0.2, "filter_time": 0.05},
        "state_space": {"more_inputs": ("rate",), "b": (1.0, 0.3), "d": (0.1, 0.2)},
        "transfer_function": {"numerator": (1.0, 0.5, 2.0), "denominator": (2.0, 3.0, 400.0)},
    }


class TestLimitedPid(ControllerContract):
    kinds = ("pid",)
    samples: ClassVar[dict[str, Any]] = {
        "pid": {"integral": 3.0, "lower": -0.05, "upper": 0.1, "set_point": 0.35, "tracking_time": 0.2}
    }


def test_a_loop_of_controllers_is_refused_with_the_loop() -> None:
    lag = {"numerator": (1.0,), "denominator": (1.0, 1.0)}
    members = [build(controllers["transfer_function"], {"name": name, "input": other, **lag})
               for name, other in (("a", "b"), ("b", "a"))]  # fmt: skip
    with pytest.raises(
        ModelError, match="'a' needs itself, without the system in between: a needs b, b needs a"
    ):
        in_order(members)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"kind": "transfer_function", "denominator": (1.0, -2.0, 10.0)}, "pole at 1 ± 3i per unit of time"),
        ({"kind": "pid", "proportional": 0.0}, "has no gain"),
        ({"kind": "transfer_function", "denominator": (1.0, 0.0), "start": "steady"}, "has a pole at zero"),
        ({"kind": "state_space"}, "has no output"),
        ({"kind": "state_space", "c": (1.0,), "a": (1.0, 2.0)}, "has 2 numbers in A instead of 1 × 1"),
        ({"kind": "pid", "sample_time": 1e-4}, ", within the largest step of 'run'"),
        ({"kind": "pid", "input": "way"}, "there is no measure 'way'"),
        ({"kind": "pid", "set_point_measure": "control"}, "needs itself, without the system in between"),
    ],
)
def test_the_check_tells_what_is_wrong_with_a_controller(words: dict[str, Any], sentence: str) -> None:
    bar = {**BAR, "name": "bar"}
    push = {"kind": "point_force", "name": "push", "marker": "bar.left", "measure": "control"}
    spec = system_of(
        parts=[bar], forces=[push], measures=[{"kind": "displacement", "name": "x", "second": "bar.left"}],
        controllers=[{"name": "control", "input": "x", **words}],
    )  # fmt: skip
    project = build(
        Project, {"systems": (spec,), "analyses": [{"kind": "motion", "name": "run", "system": "system"}]}
    )
    found = [f.sentence for f in run_checks(CheckedProject(project, Path()))]
    assert any(sentence in each for each in found), found


def test_improper_controllers_are_refused() -> None:
    for kind, words, sentence in (
        ("transfer_function", {"numerator": (1.0, 0.0, 0.0)}, "that is a derivative"),
        ("transfer_function", {"denominator": (0.0, 1.0)}, "first coefficient is zero"),
        ("pid", {"lower": 1.0, "upper": -1.0}, "lower limit is not below"),
    ):
        with pytest.raises(ModelError, match=sentence):
            build(controllers[kind], {"name": "it", "input": "x", **words})


def test_matrices_that_do_not_fit_are_refused_before_a_run() -> None:
    words = {"name": "it", "input": "x", "c": (1.0,), "a": (-1.0,), "b": (1.0, 2.0)}
    for d in ((1.0, 2.0), ()):
        with pytest.raises(ModelError, match="'it' has 2 numbers in B instead of 1 × 1"):
            build(controllers["state_space"], {**words, "d": d}).matrices()
