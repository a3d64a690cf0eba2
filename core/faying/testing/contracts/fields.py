"""Contract of fields, over computed frames of a small body."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.errors import ModelError
from faying.results.fields import CYCLE, Field, fields
from faying.results.surface_values import CONTACTS, RUBBING
from faying.results.tie_tractions import TIES
from faying.session.solution import Solution
from faying.testing.contracts.members import Contract
from faying.testing.plates import solved
from faying.units import QUANTITIES, unit_text


class FieldContract(Contract):
    """A field describes itself; existing values have the right shape, otherwise a sentence gives the reason."""

    family: ClassVar[Any] = fields

    @pytest.fixture
    def field(self, kind: str) -> Field:
        """The tested field."""
        made: Field = self.family[kind]()
        return made

    @pytest.fixture(params=["press", "swing"])
    def frames(self, request: pytest.FixtureRequest) -> Solution:
        """Two plates pressed on each other without friction, and swinging with friction."""
        return solved(str(request.param))

    def test_it_says_what_it_is(self, kind: str, field: Field) -> None:
        """Title, quantity, location and colours."""
        assert field.title
        assert field.text == kind
        assert not field.quantity or (field.quantity in QUANTITIES and unit_text(field.quantity, "mm-t-s"))
        assert field.location in ("joint", "body")
        assert field.components in (1, 3)
        assert (field.colours == "status") == bool(field.states)

    def test_one_value_for_each_pair_or_node(self, kind: str, field: Field, frames: Solution) -> None:
        """The shape, finite numbers, and the same ones again."""
        try:
            values = frames.field(kind)
        except ModelError as error:
            assert len(error.message.split()) > 2 and error.message.endswith(".")
            return
        count = len(frames.points("lap")) if field.location == "joint" else len(frames.points())
        assert values.shape == ((count,) if field.components == 1 else (count, field.components))
        assert np.isfinite(values).any()
        assert not np.isinf(values).all()
        np.testing.assert_array_equal(frames.field(kind), values)
        assert not field.states or set(np.unique(values)) <= set(range(len(field.states)))

    def test_somewhere_it_has_values(self, kind: str) -> None:
        """In one of the two runs: a field that is nowhere there is tried by nobody.

        Contact with other parts needs a system, and a tie a tied joint; a cycle a periodic
        vibration; such fields are left to tests of their own.
        """
        if {CONTACTS, CYCLE, RUBBING, TIES} & set(self.family[kind]().needs):
            pytest.skip("the plates are no parts of a system, and not tied")
        found: list[object] = []
        for name in ("press", "swing"):
            try:
                found.append(solved(name).field(kind))
            except ModelError as error:
                found.append(error)
        assert any(isinstance(values, np.ndarray) for values in found), [str(error) for error in found]
