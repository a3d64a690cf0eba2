"""Contract of the characteristics, and what tables do between their points and beyond."""

import math
from pathlib import Path
from typing import Any, ClassVar

import pytest

from faying.errors import ModelError, ReadError
from faying.multibody.characteristics import characteristics
from faying.params import build
from faying.testing import CharacteristicContract

CURVED = ((-1.0, -1.0), (0.0, 0.0), (1.0, 0.4), (2.0, 2.0))


class TestCharacteristics(CharacteristicContract):
    samples: ClassVar[dict[str, Any]] = {
        "table": {"points": CURVED, "interpolation": "akima"},
        "polynomial": {"coefficients": (0.3, 1.0, -0.2, 0.5)},
        "formula": {"formula": "3*x + 0.2*x**3 + sin(x)"},
        "two_tables": {"loading": CURVED, "interpolation": "akima"},
    }


class TestMonotoneTables(CharacteristicContract):
    kinds = ("table",)
    samples: ClassVar[dict[str, Any]] = {
        "table": {"points": CURVED, "interpolation": "monotone", "beyond": "constant"}
    }


class TestStraightTables(CharacteristicContract):
    kinds = ("table",)
    samples: ClassVar[dict[str, Any]] = {"table": {"points": CURVED, "interpolation": "linear"}}


def test_monotone_tables_do_not_overshoot_and_akima_may() -> None:
    steps = ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 1.0), (4.0, 1.0), (5.0, 1.0))
    inside = [2.0 + k / 50 for k in range(51)]
    flat = build(characteristics["table"], {"points": steps})
    assert all(0.0 <= flat.value(x) <= 1.0 for x in inside)
    assert flat.value(0.5) == 0.0
    # A parabola's points: exact to third order by Akima (1970) in the middle.
    parabola = tuple((float(x), float(x * x)) for x in range(-4, 5))
    assert build(characteristics["table"], {"points": parabola, "interpolation": "akima"}).value(
        0.5
    ) == pytest.approx(0.25, abs=1e-12)


def test_beyond_its_ends_a_table_goes_on_or_stays() -> None:
    straight, constant = (
        build(characteristics["table"], {"points": CURVED, "interpolation": "linear", "beyond": how})
        for how in ("straight", "constant")
    )
    assert straight.value(3.0) == pytest.approx(2.0 + 1.6)
    assert constant.value(3.0) == pytest.approx(2.0)
    assert straight.ends() == (-1.0, 2.0)
    assert constant.ends() == (-math.inf, math.inf)


def test_a_file_is_read_once_and_stored(tmp_path: Path) -> None:
    path = tmp_path / "strut.csv"
    path.write_text("elongation; force\n-0.01; -20\n0; 0\n0.02; 60\n")
    table = build(characteristics["table"], {"path": str(path)}).loaded()
    path.unlink()
    assert table.points == ((-0.01, -20.0), (0.0, 0.0), (0.02, 60.0)) and table.path == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("1, 2\n1, 3\n", "in order of x"), ("1, 2\n", "at least two"), ("words\n", "two numbers"), (None, "is not there")],
)  # fmt: skip
def test_bad_files_are_sentences(tmp_path: Path, text: str | None, sentence: str) -> None:
    path = tmp_path / "bad.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ReadError, match=sentence):
        build(characteristics["table"], {"path": str(path)}).loaded()


@pytest.mark.parametrize("points", [((0.0, 0.0), (0.0, 1.0)), ((1.0, 0.0), (0.0, 1.0)), ((0.0, 0.0),)])
def test_points_out_of_order_are_refused(points: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ModelError):
        build(characteristics["table"], {"points": points})


def test_two_tables_are_read_from_two_files(tmp_path: Path) -> None:
    for name, shift in (("up", 1.0), ("down", -1.0)):
        (tmp_path / f"{name}.csv").write_text(f"x, f\n0, {shift}\n2, {2.0 + shift}\n")
    paths = {"loading_path": str(tmp_path / "up.csv"), "unloading_path": str(tmp_path / "down.csv")}
    curve = build(characteristics["two_tables"], {**paths, "transition": 1e-3}).loaded()
    assert curve.loading_path == curve.unloading_path == ""
    assert [curve.moving(1.0, rate) for rate in (1.0, 0.0, -1.0)] == pytest.approx([2.0, 1.0, 0.0])


def test_a_formula_is_one_in_x() -> None:
    with pytest.raises(ModelError, match="no formula in x"):
        build(characteristics["formula"], {"formula": "2*t"})
