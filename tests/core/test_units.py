"""Values typed with units, as engineers write them."""

import pytest

from faying.errors import ModelError
from faying.units import read_quantity


@pytest.mark.parametrize(
    ("text", "quantity", "value"),
    [
        ("9.81 m/s2", "acceleration", 9810.0),
        ("9.81 m/s²", "acceleration", 9810.0),
        ("9.81 m s-2", "acceleration", 9810.0),
        ("210e3 N/mm2", "stress", 210e3),
        ("210 GPa", "stress", 210e3),
        ("1e3N", "force", 1000.0),
        ("7850 kg/m^3", "density", 7.85e-9),
        ("7.85 g/cm3", "density", 7.85e-9),
        ("1 kN·m", "moment", 1e6),
        ("3 µm", "length", 0.003),
        ("-.5 mm", "length", -0.5),
        ("30 deg", "angle", 0.5235987755982988),
        ("0.15", "", 0.15),
    ],
)
def test_units_are_read_as_engineers_write_them(text: str, quantity: str, value: float) -> None:
    assert read_quantity(text, quantity, "mm-t-s") == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("text", ["3 kg", "three", "1 m/s", ""])
def test_what_is_no_acceleration_is_refused_with_the_unit(text: str) -> None:
    with pytest.raises(ModelError, match="is not an acceleration") as error:
        read_quantity(text, "acceleration", "mm-t-s")
    assert "mm/s²" in (error.value.hint or "")
