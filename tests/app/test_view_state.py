"""The view state is written with the project and read back, also where a value in it cannot be."""

import pytest
from pydantic import ValidationError

from faying_app.view_state import ViewState


def test_what_cannot_be_read_is_left_out_and_the_rest_is_kept(qapp):
    view, read = ViewState(), ViewState()
    view.set(mesh_edges=True, highest=5.0, frame=3, hidden_parts=(("plate", 2),))
    read.read(view.write())
    assert read.values == view.values
    text = view.write().replace('"highest":5.0', '"highest":null').replace('"frame":3', '"frame":"x"')
    read.read(text)
    assert (read.values.mesh_edges, read.values.hidden_parts) == (True, (("plate", 2),))
    assert (read.values.highest, read.values.frame) == (1.0, 0)
    for nothing in ("", "no text of a view state", "[]"):
        read.read(nothing)
        assert read.values == ViewState().values


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_numbers_are_finite(qapp, number):
    view = ViewState()
    with pytest.raises(ValidationError):
        view.set(lowest=number)
    assert view.values.lowest == 0.0
