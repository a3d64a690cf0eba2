"""Contract of sources of curves, including user names that equal curve names."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.analyses.curve_sources import curve_sources
from faying.analyses.recording.curve_source import CurveSource
from faying.results.curve_key import OWNERS, curve_text, curve_texts, find_curve
from faying.testing.contracts.members import Contract
from faying.testing.plates import solved
from faying.units import QUANTITIES, unit_text

_NASTY = ("tip", "full tip", "tip x", "lap normal force", "a: b", "tip ux phase", "a, b (c)")


class CurveSourceContract(Contract):
    """Curves that are offered have a unit and a meaning, a text that leads back to the key, and a number per frame."""

    family: ClassVar[Any] = curve_sources

    @pytest.fixture
    def source(self, kind: str) -> CurveSource:
        """The tested source."""
        made: CurveSource = self.family[kind]()
        return made

    def test_it_says_what_it_offers(self, source: CurveSource) -> None:
        """Title, kind of owner, and of each quantity the unit and a sentence."""
        assert source.title and source.quantities and source.owners_kind in OWNERS
        for quantity in source.quantities:
            assert quantity.meaning.endswith(".") and quantity.components
            assert not quantity.dimension or quantity.dimension in QUANTITIES
            assert isinstance(unit_text(quantity.dimension, "mm-t-s"), str) or not quantity.dimension

    def test_texts_lead_back_to_keys(self, source: CurveSource) -> None:
        """Whatever the owners are called."""
        names = _NASTY if source.owners_kind else ("",)
        keys = [
            key
            for name in names
            for quantity in source.quantities
            for key in quantity.keys(source.owners_kind, name)
        ]
        texts = curve_texts(keys)
        assert len(set(texts.values())) == len(texts) == len(keys)
        assert all(find_curve(text, keys, "The run") == key for key, text in texts.items())

    @pytest.mark.parametrize("run", ["press", "swing"])
    def test_a_number_for_each_frame(self, source: CurveSource, run: str) -> None:
        """Of two plates that are pressed, and that swing; curves of other runs are left to tests of their own."""
        results = solved(run).results
        declared = {(source.owners_kind, quantity.name): quantity for quantity in source.quantities}
        for key in results.curve_keys:
            if (quantity := declared.get((key.kind, key.quantity))) is not None:
                values = results.curve(key)
                assert values.shape == (results.n_frames,) and np.isfinite(values).all()
                assert key.dimension == quantity.dimension and key.component in quantity.components
                assert curve_text(key) in results.curve_texts[key]
