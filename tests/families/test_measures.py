"""Contract of the measures, their order, and the circle that is refused."""

from typing import Any, ClassVar

import pytest

from faying.errors import ModelError
from faying.multibody.measures import dimensions, in_order, measures, over_time_of
from faying.params import build
from faying.testing import MeasureContract


class TestMeasures(MeasureContract):
    samples: ClassVar[dict[str, Any]] = {
        "formula": {"name": "it", "formula": "2*a + t", "a": "stretch", "quantity": "length"}
    }


def over_time(name: str, of: str, statistic: str = "maximum"):
    return build(measures["over_time"], {"name": name, "measure": of, "statistic": statistic})


def test_measures_follow_what_they_need() -> None:
    members = [over_time("peak", "sum"), build(measures["formula"], {"name": "sum", "formula": "a+1", "a": "now"}),
               build(measures["time"], {"name": "now"})]  # fmt: skip
    assert [each.name for each in in_order(members)] == ["now", "sum", "peak"]


def test_a_circle_is_refused_with_its_way() -> None:
    words = {"formula": "2*a", "a": "stretch"}
    members = [over_time("stretch", "force"), build(measures["formula"], {"name": "force", **words})]
    with pytest.raises(ModelError, match="stretch needs force, force needs stretch"):
        in_order(members)


def test_an_unknown_measure_is_named() -> None:
    with pytest.raises(ModelError, match="'strech', which is no measure"):
        in_order([over_time("peak", "strech"), over_time("stretch", "peak")])


@pytest.mark.parametrize(
    ("of", "integral"),
    [("power", "energy"), ("force", "impulse"), ("velocity", "length"), ("acceleration", "velocity"),
     ("angular_velocity", "angle"), ("", "time"), ("length", "")],
)  # fmt: skip
def test_integrals_have_the_quantity_of_their_unit(of: str, integral: str) -> None:
    assert over_time_of(of) == integral
    speed = build(measures["formula"], {"name": "x", "formula": "t", "quantity": of or "number"})
    assert dimensions([speed, over_time("sum", "x", "integral")])["sum"] == integral


def test_formulas_know_only_the_letters_that_are_given() -> None:
    with pytest.raises(ModelError, match="none in a, t"):
        build(measures["formula"], {"name": "x", "formula": "a + b", "a": "stretch"})
