"""Contract of selections of trial vector derivatives: a mask over all of them, independent of units."""

from dataclasses import fields, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.errors import ModelError
from faying.reduction.derivative_selections import DerivativeSelection, ModalContact, derivative_selections
from faying.testing.contracts.members import MemberContract


def modal_contact(n_preloads: int = 2, seed: int = 0) -> ModalContact:
    """Return random trial vectors: five component modes, some preload modes, thirty contact pairs, eight load cases."""
    rng, components, pairs = np.random.default_rng(seed), 5, 30
    count = components + n_preloads
    return ModalContact(
        components, n_preloads, rng.normal(size=(count, 8)), rng.normal(size=(pairs, count)),
        rng.uniform(0.5, 2.0, pairs), rng.uniform(0.0, 0.3, pairs),
    )  # fmt: skip


class DerivativeSelectionContract(MemberContract):
    """A mask (r, r) that is not empty, the same again, the same in other units; what it looks at stays as it is."""

    family: ClassVar[Any] = derivative_selections

    @pytest.fixture
    def selection(self, member: DerivativeSelection) -> DerivativeSelection:
        """The tested selection."""
        return member

    @pytest.mark.parametrize("seed", range(3))
    def test_a_mask_over_all_derivatives(self, selection: DerivativeSelection, seed: int) -> None:
        contact = modal_contact(seed=seed)
        before = {f.name: np.copy(getattr(contact, f.name)) for f in fields(contact)}
        mask = selection.choose(contact)
        assert mask.shape == (7, 7)
        assert mask.dtype == bool
        assert mask.any()
        np.testing.assert_array_equal(selection.choose(contact), mask)
        for name, values in before.items():
            np.testing.assert_array_equal(getattr(contact, name), values, err_msg=name)

    def test_without_preload_modes_a_mask_or_a_sentence(self, selection: DerivativeSelection) -> None:
        try:
            mask = selection.choose(modal_contact(n_preloads=0))
        except ModelError as error:
            assert error.message.endswith(".") and error.hint
            return
        assert mask.shape == (5, 5) and mask.any()

    def test_in_other_units_the_same_are_chosen(self, selection: DerivativeSelection) -> None:
        """Millimetres instead of metres: gaps, coordinates and areas grow, gaps per coordinate stay."""
        metres = modal_contact()
        millimetres = replace(
            metres, amplitudes=1e3 * metres.amplitudes, initial_gaps=1e3 * metres.initial_gaps,
            weights=1e6 * metres.weights,
        )  # fmt: skip
        np.testing.assert_array_equal(selection.choose(millimetres), selection.choose(metres))
