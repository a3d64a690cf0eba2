"""Values typed with units, as engineers write them."""

import math
import pickle
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faying import units
from faying.analyses import analyses
from faying.errors import ModelError, ReadError, RefusedError
from faying.params import build
from faying.reduction.joint_modes import joint_mode_methods
from faying.units import (
    QUANTITIES,
    READABLE,
    UnitSystemName,
    amount,
    plain_number,
    read_quantity,
    shown_unit,
    unit_text,
    with_units,
)


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


# A turn is 2 π radians, whichever of the two a unit counts.
@pytest.mark.parametrize(
    ("text", "quantity", "value"),
    [
        ("6000 rpm", "frequency", 100.0),
        ("100 rad/s", "frequency", 100.0 / math.tau),
        ("360 deg/s", "frequency", 1.0),
        ("0.1 kHz", "frequency", 100.0),
        ("100/s", "frequency", 100.0),
        ("0.01 s/turn", "time", 0.01),
        ("6000 rpm", "angular_velocity", 200.0 * math.pi),
        ("50 Hz", "angular_velocity", 100.0 * math.pi),
        ("0.05 kHz", "angular_velocity", 100.0 * math.pi),
        ("50 hertz", "angular_velocity", 100.0 * math.pi),
        ("100/s", "angular_velocity", 100.0),
        ("180 deg/s", "angular_velocity", math.pi),
        ("2 Hz/s", "angular_acceleration", 4.0 * math.pi),
        ("2 Hz2", "angular_acceleration", 8.0 * math.pi**2),
        ("60 rpm/s", "angular_acceleration", 2.0 * math.pi),
        ("1 N·mm/deg", "torsional_stiffness", 180.0 / math.pi),
        ("1 N·mm/turn", "torsional_stiffness", 1.0 / math.tau),
        ("1 N·mm/rpm", "torsional_damping", 30.0 / math.pi),
        ("1 N·mm/Hz", "torsional_damping", 1.0 / math.tau),
        ("1 N·mm·s/deg", "torsional_damping", 180.0 / math.pi),
    ],
)
def test_turns_and_radians_are_told_apart(text: str, quantity: str, value: float) -> None:
    assert read_quantity(text, quantity, "mm-t-s") == pytest.approx(value, rel=1e-12)
    if quantity == "frequency":
        assert read_quantity(text, quantity, "mm-kg-ms") == pytest.approx(1e-3 * value, rel=1e-12)


def test_frequencies_are_shown_in_turns_per_time() -> None:
    unit, factor = shown_unit("frequency", "mm-t-s", {"frequency": "rpm"})
    assert (unit, 100.0 * factor) == ("rpm", pytest.approx(6000.0))


@pytest.mark.parametrize(
    "text", ["3 kg", "three", "1 m/s", "", "nan", "inf", "1e999", "nan mm/s2", "1e999 mm/s2"]
)
def test_what_is_no_acceleration_is_refused_with_the_unit(text: str) -> None:
    with pytest.raises(ModelError, match="is not an acceleration") as error:
        read_quantity(text, "acceleration", "mm-t-s")
    assert "mm/s²" in (error.value.hint or "")


SYSTEMS = ("mm-t-s", "m-kg-s", "mm-kg-ms", "in-lbf-s")
# What each quantity is by definition, in SI units.
DEFINITIONS = {
    "mass": "kg", "length": "m", "time": "s", "area": "m²", "volume": "m³", "angle": "rad", "frequency": "Hz",
    "second_moment_of_area": "m⁴",
    "velocity": "m/s", "acceleration": "m/s²", "force": "N", "moment": "N·m", "energy": "J", "power": "W",
    "energy_per_area": "J/m²", "power_per_area": "W/m²", "stress": "Pa", "density": "kg/m³",
    "contact_stiffness": "Pa/m", "contact_damping": "Pa/(m/s)", "moment_of_inertia": "kg·m²",
    "angular_velocity": "rad/s", "stiffness": "N/m", "damping": "N/(m/s)", "torsional_stiffness": "N·m/rad",
    "torsional_damping": "N·m/(rad/s)", "angular_acceleration": "rad/s²",
    "impulse": "N·s",
    "temperature_change": "K", "thermal_expansion": "1/K",
}  # fmt: skip


@pytest.mark.parametrize("quantity", list(QUANTITIES))
def test_every_quantity_has_the_dimension_of_its_definition(quantity: str) -> None:
    assert read_quantity(f"1 {DEFINITIONS[quantity]}", quantity, "m-kg-s") == pytest.approx(1.0, rel=1e-14)


@pytest.mark.parametrize("quantity", list(QUANTITIES))
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_unit_that_is_shown_is_that_of_the_system(quantity: str, system: str) -> None:
    assert read_quantity(f"1 {unit_text(quantity, system)}", quantity, system) == pytest.approx(
        1.0, rel=1e-12
    )


# 1 t = 1000 kg and 1 kN = 1 kg mm/ms².
@pytest.mark.parametrize(
    ("text", "quantity", "system", "value"),
    [
        ("1 kg", "mass", "mm-t-s", 1e-3),
        ("1 N·m·s/rad", "torsional_damping", "mm-t-s", 1e3),
        ("1 W/m²", "power_per_area", "mm-t-s", 1e-3),
        ("1 kN", "force", "mm-kg-ms", 1.0),
        ("1 J", "energy", "mm-kg-ms", 1.0),
        ("1 GPa", "stress", "mm-kg-ms", 1.0),
        ("1 N/m", "stiffness", "mm-kg-ms", 1e-6),
        ("1 N·s/m", "damping", "mm-kg-ms", 1e-3),
        ("1 Hz", "frequency", "mm-kg-ms", 1e-3),
        ("1 rad/s", "angular_velocity", "mm-kg-ms", 1e-3),
        ("1 m/s²", "acceleration", "mm-kg-ms", 1e-3),
        ("9.80665 m/s²", "acceleration", "in-lbf-s", 386.0885826771654),
        ("0.284 lb/in³", "density", "in-lbf-s", 0.284 / 386.0885826771654),
        ("1 lb", "mass", "in-lbf-s", 1.0 / 386.0885826771654),
        ("1 ksi", "stress", "in-lbf-s", 1e3),
        ("1 lbf", "force", "in-lbf-s", 1.0),
        ("1 ft·lbf", "moment", "in-lbf-s", 12.0),
    ],
)
def test_values_in_other_systems(text: str, quantity: str, system: str, value: float) -> None:
    assert read_quantity(text, quantity, system) == pytest.approx(value, rel=1e-12)


_SHOWN = [(quantity, unit) for quantity, units in READABLE.items() for unit in units]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(_SHOWN), st.sampled_from(SYSTEMS),
    st.floats(-1e12, 1e12).filter(lambda x: abs(x) > 1e-12),
)  # fmt: skip
def test_what_is_shown_in_a_unit_and_typed_again_is_the_same(
    shown: tuple[str, str], system: str, value: float
) -> None:
    quantity, wanted = shown
    unit, factor = shown_unit(quantity, system, {quantity: wanted})
    assert unit in (wanted, unit_text(quantity, system))
    assert read_quantity(f"{value * factor!r} {unit}", quantity, system) == pytest.approx(value, rel=1e-12)


def test_amounts_get_the_units_of_a_project_where_it_is_known():
    told = (
        f"{amount(0.012345, 'length')} apart, {amount(float('inf'), 'frequency')}, {amount(3.0, 'angle', 2)}."
    )
    assert told == "0.01235 [length] apart, inf [frequency], 3 [angle]."
    assert with_units(told, "mm-t-s") == "0.01235 mm apart, inf Hz, 3 rad."
    assert with_units(told, "mm-kg-ms") == "0.01235 mm apart, inf kHz, 3 rad."
    # What somebody has called so stays as it is, and so does what is no quantity.
    for name in ("part 'rod [length]' is 2 [long]", "[length]", "2[length]"):
        assert with_units(name, "m-kg-s") == name


def test_errors_are_reworded_with_all_that_is_sent_on():
    """A child process sends the arguments of an error, from which it is made again."""
    for error in (
        ModelError("It is 2 [length].", "Take 3 [length]."),
        ReadError("a.inp", 3, "It is 2 [length]."),
        RefusedError("It is 2 [length].", "Take 3 [length].", "Or say 4 [length]."),
    ):
        error.reword(lambda text: with_units(text, "m-kg-s"))
        again = pickle.loads(pickle.dumps(error))
        for each in (error, again):
            assert "It is 2 m." in str(each) and "[" not in str(each)
        assert str(again) == str(error)


def test_a_plain_number_may_be_written_in_per_cent():
    """Shares are numbers without a quantity; lengths are not, and "1 %" of nothing is no length."""
    method = joint_mode_methods["error_controlled"]
    assert [build(method, {"accuracy": text}).accuracy for text in ("1 %", "0.5%", " 2e0 % ")] == [
        0.01,
        0.005,
        0.02,
    ]
    swept = build(
        analyses["frequency_response"],
        {"name": "f", "body": "b", "support": "s", "modal_damping": ["0.2 %", 0.01]},
    )
    assert swept.modal_damping == (0.002, 0.01)
    for wrong in ("1 % %", "% 1", "80 %"):
        with pytest.raises(ModelError, match="accuracy"):
            build(method, {"accuracy": wrong})
    with pytest.raises(ModelError, match="duration"):
        build(analyses["transient"], {"name": "t", "body": "b", "support": "s", "duration": "5 %"})


@pytest.mark.parametrize("system", get_args(UnitSystemName))
@pytest.mark.parametrize("quantity", sorted(QUANTITIES))
def test_common_units_are_read_without_pint_and_to_the_same_last_digit(monkeypatch, quantity, system):
    products = (
        "N/mm",
        "N/mm²",
        "N/mm2",
        "t/mm**3",
        "kg/m^3",
        "N·s/mm³",
        "kN*ms/mm³",
        "m/s²",
        "/s",
        "Pa·s/m",
        "kg·m²",
    )
    texts = [
        f"{number} {unit}"
        for unit in (*units._COMMON, *units._ANGLES, *products)
        for number in ("1", "-3.3", "7.85e-9", "1234.5678")
    ]
    quick = {
        text: read_quantity(text, quantity, system) for text in texts if units._read_common(text, quantity)
    }
    with monkeypatch.context() as patch:
        patch.setattr(units, "_read_common", lambda *_: None)
        assert quick == {text: read_quantity(text, quantity, system) for text in quick}


@pytest.mark.parametrize(
    "text", ["1 N/(mm·mm)", "1 N/mm mm", "1 mm-2", "1 N/", "1 kip", "2 furlong", "1 N/mm5"]
)
def test_other_units_are_left_to_pint(text):
    assert all(units._read_common(text, quantity) is None for quantity in QUANTITIES)


def test_numbers_for_people_have_no_power_of_ten_below_ten_million_and_no_negative_zero():
    assert [plain_number(x) for x in (13183.4, 0.5, 2e4, 1.5e-7, 3e8)] == [
        "13183",
        "0.5",
        "20000",
        "1.5e-07",
        "3e+08",
    ]
    assert plain_number(-0.0) == "0" and plain_number(-2.0) == "-2"
    assert amount(13183.4, "length") == "13183 [length]"
