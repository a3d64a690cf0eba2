"""What every bench of laws keeps: conditions with units, a curve for each law, and a number to match."""

import math
from typing import Any, ClassVar

import pytest

from faying.joints.law_plots import PlotUnits
from faying.params import build
from faying.progress import Silent
from faying.testing.contracts.members import Contract
from faying.units import QUANTITIES
from faying_app.law_editor.benches import Bench, benches

_UNITS = PlotUnits("mm-t-s")


class BenchContract(Contract):
    """Tried with the laws of its family that work with their defaults or their own examples."""

    family: ClassVar[Any] = benches

    @pytest.fixture
    def laws(self, kind: str) -> list[tuple[str, Any]]:
        """The laws that are compared, by name."""
        return [(name, build(law, law.example())) for name, law in self.family[kind].family.items()]

    def test_conditions_are_numbers_with_units(self, kind: str, laws: list[tuple[str, Any]]) -> None:
        """Chosen without any law, too."""
        for law in (None, laws[0][1]):
            bench: Bench = self.family[kind](law, _UNITS)
            assert bench.title.strip() and bench.conditions and bench.aims
            for each in (*bench.conditions, *bench.aims):
                assert each.title.strip() and each.meaning.endswith(".")
                assert not each.quantity or each.quantity in QUANTITIES
                assert math.isfinite(each.value) and (each.value > 0.0 or each.may_be_zero)

    def test_there_is_a_curve_for_each_law(self, kind: str, laws: list[tuple[str, Any]]) -> None:
        bench: Bench = self.family[kind](laws[0][1], _UNITS)
        plot = bench.plot(laws, _UNITS, Silent())
        for name, _ in laws:  # some benches tell a number behind it
            assert any(series.name == name or series.name.startswith(f"{name}:") for series in plot.series)
        assert plot.x.label and plot.y.label

    def test_the_first_law_is_where_laws_are_matched(self, kind: str, laws: list[tuple[str, Any]]) -> None:
        """Its own number is the aim that was chosen for it."""
        for _, law in laws:
            bench: Bench = self.family[kind](law, _UNITS)
            if (found := bench.measure(law, Silent())) > 0.0:
                assert bench.aims[-1].value == pytest.approx(found, rel=1e-6)
