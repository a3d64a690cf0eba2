"""Contract of the courses: finite, the integral's derivative is the factor, plain words and back."""

import math

import numpy as np
import pytest

from faying.courses import Course, courses
from faying.errors import ModelError, SolveError
from faying.params import build


@pytest.fixture(params=sorted(courses))
def course(request: pytest.FixtureRequest) -> Course:
    return courses[request.param]()


def test_factors_are_finite(course: Course) -> None:
    assert all(math.isfinite(course.factor(t)) for t in np.linspace(0.0, 3.0, 50))


def test_the_integral_belongs_to_the_factor(course: Course) -> None:
    assert course.integral(0.0) == 0.0
    step = 1e-6
    for time in (0.0031, 0.0123, 0.7, 1.7):
        rate = (course.integral(time + step) - course.integral(time - step)) / (2 * step)
        assert rate == pytest.approx(course.factor(time), abs=1e-6)


def test_words_and_back(course: Course) -> None:
    words = course.model_dump()
    assert build(courses[words.pop("kind")], words) == course


def test_a_formula_may_say_what_happens_when() -> None:
    course = courses["expression"](formula="0.5*(1 - cos(pi*t/0.25)) if t < 0.25 else 1")
    assert course.factor(0.125) == pytest.approx(0.5)
    assert course.factor(1.0) == 1.0


@pytest.mark.parametrize("formula", ["open('x')", "t.__class__", "2 +", "y", "__import__('os')", "'a'"])
def test_a_formula_is_nothing_but_a_formula(formula: str) -> None:
    with pytest.raises(ModelError, match="no formula in t"):
        build(courses["expression"], {"formula": formula})


@pytest.mark.parametrize("formula", ["1/(t - 1)", "sqrt(-t)", "exp(1000*t)"])
def test_a_formula_without_value_says_when(formula: str) -> None:
    with pytest.raises(SolveError, match="t = 1"):
        build(courses["expression"], {"formula": formula}).factor(1.0)


def test_a_table_in_disorder_is_refused() -> None:
    with pytest.raises(ModelError, match=r"0\.5 follows 1"):
        build(courses["table"], {"points": [(0.0, 0.0), (1.0, 1.0), (0.5, 0.0)]})
