"""What every contact law keeps, and the numbers of each."""

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from faying.errors import ModelError, ReadError
from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws.tabulated import Tabulated
from faying.joints.contact_stiffness import penetration_at
from faying.params import build
from faying.testing import ContactLawContract


class TestContactLaws(ContactLawContract):
    pass


def test_there_is_one() -> None:
    assert "linear_penalty" in list(contact_laws)


# Published: thesis table 4.6. The power functions' factors are given there per µm^m: 0.16 · 2.5² = 1 and so on.
TABLE = {
    "A": ("linear_penalty", {"stiffness": 400.0}),
    "B": ("multi_stage_linear", {"stiffnesses": (133.0, 667.0), "gaps": (0.0, -1.25e-3)}),
    "C1": ("power_function", {"reference_pressure": 0.16, "reference_penetration": 1e-3, "exponent": 2.0}),
    "C2": ("power_function", {"reference_pressure": 0.0486, "reference_penetration": 1e-3, "exponent": 3.3}),
    "D": ("exponential", {"touching_pressure": 1.23e-4, "clearance": 0.4e-3}),
    "E": ("quadratic_linear", {"stiffness": 570.0, "upper_gap": 0.0, "lower_gap": -1.5e-3}),
    "F": ("joint_adapted_exponential", {"stiffness": 617.0, "roughness": 1.0 / 200.0}),
}
# Closed form: the printed laws by hand, N/mm² at gaps of −1 and −3 µm with the parameters of the table.
PRESSURES = {
    "A": (0.4, 1.2), "B": (0.133, 1.3335), "C1": (0.16, 1.44), "C2": (0.0486, 1.824469),
    "D": (0.008046, 2.989815), "E": (0.19, 1.2825), "F": (0.136606, 1.521742),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_pressures_of_the_table(name: str) -> None:
    kind, words = TABLE[name]
    law = build(contact_laws[kind], words)
    p = law.pressure(np.array([-1e-3, -3e-3, -2.5e-3]))[0]
    np.testing.assert_allclose(p[:2], PRESSURES[name], rtol=1e-4)
    # All meet 1 N/mm² at −2.5 µm but D, which gives 0.7303 with the printed clearance and needs 0.3830 µm.
    assert p[2] == pytest.approx(0.7303 if name == "D" else 1.0, rel=3e-3)
    if name == "D":
        assert law.with_(clearance=0.3830e-3).pressure(np.array([-2.5e-3]))[0] == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize("name", ["E", "F"])
def test_surfaces_that_touch_earlier_have_the_same_curve_earlier(name: str) -> None:
    kind, words = TABLE[name]
    ahead, gaps = 2e-3, -np.geomspace(1e-5, 4e-3, 30)
    moved = {"upper_gap": ahead} | ({"lower_gap": words["lower_gap"] + ahead} if "lower_gap" in words else {})
    law, earlier = build(contact_laws[kind], words), build(contact_laws[kind], words | moved)
    assert earlier.closing_gap() == ahead and law.closing_gap() == 0.0
    for there, here in zip(earlier.pressure(gaps + ahead), law.pressure(gaps), strict=True):
        np.testing.assert_allclose(there, here, rtol=1e-9)


@pytest.mark.parametrize(
    "kind", ["quadratic_linear", "power_function", "exponential", "joint_adapted_exponential"]
)
def test_no_corner_where_pressure_begins(kind: str) -> None:
    law = contact_laws[kind]()
    slope = law.pressure(law.closing_gap() - np.array([1e-10, 1e-5]))[1]
    assert abs(slope[0]) < 1e-4 * abs(slope[1])


def test_the_exponential_law_where_the_surfaces_touch() -> None:
    law = contact_laws["exponential"]()
    p, dp = law.pressure(np.array([0.0]))
    assert p[0] == pytest.approx(law.touching_pressure, rel=1e-14)
    assert dp[0] == pytest.approx(
        -law.touching_pressure / (np.e - 1.0) / law.clearance * (2.0 * np.e - 1.0), rel=1e-14
    )


@pytest.mark.parametrize("kind", ["exponential", "joint_adapted_exponential"])
def test_large_exponents_go_on_along_the_tangent(kind: str) -> None:
    words = {"clearance": 1e-9} if kind == "exponential" else {"roughness": 1e-9}
    law = build(contact_laws[kind], words)
    corner = law.closing_gap() - 30.0 * 1e-9
    gap = corner + np.array([1e-15, -1e-15, -1.0, -1e3])
    with np.errstate(all="raise", under="ignore"):
        p, dp = law.pressure(gap)
    assert p[0] == pytest.approx(p[1], rel=1e-4)
    assert dp[0] == pytest.approx(dp[1], rel=1e-4)
    np.testing.assert_allclose(dp[2:], dp[1], rtol=1e-12)
    np.testing.assert_allclose(p[3] - p[2], -dp[2] * 999.0, rtol=1e-9)


def test_table_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "law.csv"
    path.write_text("gap;pressure\n-0.002;8\n0;0\n-0.001;1\n", encoding="utf-8")
    law = build(contact_laws["tabulated"], {"path": str(path)})
    p, dp = law.pressure(np.array([0.001, 0.0, -0.001, -0.002, -0.003]))
    np.testing.assert_allclose(p[:4], [0.0, 0.0, 1.0, 8.0], atol=1e-14)
    assert dp[4] == dp[3] < 0.0
    assert p[4] == pytest.approx(8.0 - 0.001 * dp[3])
    assert law.closing_gap() == 0.0


def test_a_table_that_bends_much_at_its_end_goes_on_with_its_last_two_points() -> None:
    """PCHIP would end level there, and the contact would not resist below the table."""
    for gaps, pressures, last in (
        ((0.0, -1.0, -2.0), (0.0, 10.0, 10.1), 0.1),
        ((0.0, -1.0, -2.0, -4.0), (0.0, 1.0, 9.0, 9.3), 0.15),
        ((0.0, -1.0, -2.0), (0.0, 1.0, 1.3334), 0.3334),  # nearly level
    ):
        law = Tabulated(gaps=gaps, pressures=pressures)
        np.testing.assert_allclose(law.pressure(np.array(gaps))[0], pressures, rtol=1e-12)
        end = np.array([gaps[-1] + 1e-9, gaps[-1] - 1e-9, gaps[-1] - 1.0])
        deeper, slopes = law.pressure(end)
        np.testing.assert_allclose(slopes, -last, rtol=1e-6)
        assert deeper[2] == pytest.approx(pressures[-1] + last, rel=1e-9)
        assert (np.diff(law.pressure(np.linspace(0.0, gaps[-1], 500))[0]) > 0.0).all()
        assert penetration_at(law, 20.0) > -gaps[-1]


def test_a_table_that_does_not_end_level_is_its_pchip_to_the_last_bit() -> None:
    law = Tabulated()
    curve = PchipInterpolator(law.gaps[::-1], law.pressures[::-1])
    gaps = np.linspace(-4e-4, 0.0, 50)
    np.testing.assert_array_equal(law.pressure(gaps)[0], np.maximum(curve(gaps), 0.0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-0.002,8\n-0.001,9\n0,0\n", "have to fall with the gap, but are 8 at -0.002 and 9 at -0.001"),
        ("-0.002,8\n-0.001,1\n", "zero at the largest gap, -0.001"),
        ("-0.001,8\n-0.001,9\n0,0\n", "two at the gap -0.001"),
        ("gap,pressure\n-0.001,8\nnone,0\n", "line 3: this line has no two numbers"),
        ("0,0\n", "at least two"),
        ("", "no line of the table has two numbers alone"),
        ("gap,pressure,remark\n-0.001,8,a\n0,0,b\n", "no line of the table has two numbers alone"),
        ("-0.001 8 1\n0 0 1\n", "no line of the table has two numbers alone"),
        (f"0,0\n{'9' * 200_000},1\n", "line 2: this line has no two numbers"),
    ],
)
def test_tables_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "law.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError, match=message):
        build(contact_laws["tabulated"], {"path": str(path)}).closing_gap()


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"law\.csv: the table of a contact law is not there"):
        build(contact_laws["tabulated"], {"path": str(tmp_path / "law.csv")}).closing_gap()


@pytest.mark.parametrize(
    ("kind", "words", "message"),
    [
        ("multi_stage_linear", {"gaps": (0.0, 1e-4)}, "gaps.*descend, but 0.0001 follows 0"),
        ("multi_stage_linear", {"gaps": (0.0,)}, "gaps.*as many as the stiffnesses, 2"),
        ("multi_stage_linear", {"stiffnesses": (100.0, -1.0)}, "stiffnesses.*greater than 0"),
        ("quadratic_linear", {"lower_gap": 1e-3}, "lower_gap.*smaller than the upper gap of 0"),
        ("quadratic_linear", {"stiffness": -1.0}, "stiffness.*greater than 0"),
        ("power_function", {"reference_pressure": -1.0}, "reference_pressure.*greater than 0"),
        ("power_function", {"exponent": 0.5}, "exponent.*greater than or equal to 1"),
        ("exponential", {"clearance": 0.0}, "clearance.*greater than 0"),
        ("joint_adapted_exponential", {"roughness": -1e-3}, "roughness.*greater than 0"),
        ("tabulated", {"pressures": (0.0, 2.0, 1.0, 4.0)}, "pressures.*fall with the gap, but are 1 at -0.0002"),
        ("tabulated", {"gaps": (0.0, -1.0)}, "pressures.*as many as the gaps"),
    ],
)  # fmt: skip
def test_parameters_that_are_refused(kind: str, words: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        build(contact_laws[kind], words)


def test_linear_penalty() -> None:
    # Published: thesis table 4.6, law A: 400 N/mm³ gives 1 N/mm² at −2.5 µm.
    law = build(contact_laws["linear_penalty"], {"stiffness": 400.0})
    p, dp = law.pressure(np.array([-2.5e-3, -1e-3, -3e-3, 0.0, 1e-3]))
    np.testing.assert_allclose(p, [1.0, 0.4, 1.2, 0.0, 0.0], rtol=1e-14)
    np.testing.assert_array_equal(dp, [-400.0, -400.0, -400.0, 0.0, 0.0])
    assert contact_laws["linear_penalty"]().stiffness == 50_000.0


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf"), "stiff"])
def test_linear_penalty_refuses(value: object) -> None:
    with pytest.raises(ModelError, match="stiffness"):
        build(contact_laws["linear_penalty"], {"stiffness": value})
