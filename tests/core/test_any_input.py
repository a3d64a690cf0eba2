"""Properties that hold for any input: what is stored comes back, and any text is a number, a formula or a sentence."""

import math
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from faying.checksums import DamagedError
from faying.errors import FayingError, ModelError, SolveError
from faying.load_histories.expression import Expression
from faying.params import build
from faying.project.study import study_of
from faying.records import mark, read_marked, read_record, write_record
from faying.units import read_quantity

_NUMBERS = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(max_size=20), st.none(),
    arrays.arrays(np.float64, arrays.array_shapes(max_dims=3, max_side=4)),
    arrays.arrays(np.int64, arrays.array_shapes(max_dims=2, max_side=4)),
)  # fmt: skip
_VALUES = st.recursive(
    _NUMBERS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple), st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray)
            and a.dtype == b.dtype
            and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        )
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(_same(a[k], b[k]) for k in a)
    return type(a) is type(b) and a == b


@settings(max_examples=60, deadline=None)
@given(_VALUES)
def test_what_is_stored_comes_back(value: object) -> None:
    with h5py.File("any.h5", "w", driver="core", backing_store=False) as file:
        write_record(file, "value", value)
        mark(file, "key")
        assert _same(read_marked(file, "key"), value)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="t0123456789.+-*/%()<>= ,eEsincoxp_ifelsmand'[]", max_size=60))
def test_any_text_is_a_formula_or_a_sentence(text: str) -> None:
    begin = time.process_time()
    try:
        assert math.isfinite(build(Expression, {"formula": text}).factor(0.5))
    except (ModelError, SolveError) as error:
        assert str(error)
    assert time.process_time() - begin < 1.0


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="0123456789.eE+-*/^() mNskgPaG²µ", max_size=30))
def test_any_text_is_a_quantity_or_a_sentence(text: str) -> None:
    try:
        assert isinstance(read_quantity(text, "stress", "mm-t-s"), float)
    except ModelError as error:
        assert "is not a stress" in str(error)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='nameunits = "[]{}.,\n0123456789x\\', max_size=60))
def test_any_text_is_a_study_or_a_sentence(text: str) -> None:
    try:
        study_of(text, Path("any.toml"))
    except FayingError as error:
        assert str(error).startswith("any.toml")


def test_values_that_changed_places_are_found() -> None:
    with h5py.File("any.h5", "w", driver="core", backing_store=False) as file:
        value = {"a": np.arange(3.0), "b": np.arange(4.0)}
        write_record(file, "value", value)
        mark(file, "one")
        with pytest.raises(DamagedError):
            read_marked(file, "other")
        # The arrays of a record exchanged: each is sound by itself.
        a, b = (file["value"][i] for i in "01")
        file.move("value/0", "kept")
        file.move("value/1", "value/0")
        file.move("kept", "value/1")
        assert a and b
        with pytest.raises(DamagedError):
            read_record(file["value"])
        del file["value"]
        file["value"] = np.zeros(3)
        with pytest.raises(DamagedError):
            read_marked(file, "one")
