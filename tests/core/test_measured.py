"""Points of a test: read with their units, laid over curves of the same kind, and parameters fitted to them."""

import numpy as np
import pytest

from faying.errors import FayingError
from faying.number_tables import read_headed_columns
from faying.params import build
from faying.plot import Axis, Plot, Series
from faying.results.curves import Curve, axis_curve, curve_plot, laid_over, stored_curve
from faying.results.run_tables import backbone_table, identified_table
from support.squeezed_plates import FRICTION, STICKING, SqueezedPlates

BACKBONE = {
    "kind": "quasi_static_modes", "support": "hold", "preloads": ["squeeze"], "points": 8, "loop": "masing",
    "smallest_amplitude": 2e-3, "largest_amplitude": 0.3, "point": "tip", "direction": "z",
}  # fmt: skip
TEXT = "hammer, tip\namplitude [um];f [Hz];zeta [%]\n10;300,5;1\n\n1;310;0,2\n# a comment\n100;;3\n"


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    return SqueezedPlates(tmp_path_factory.mktemp("plates"))


def measured(plates, text, *before, **words):
    path = plates.folder / "points.csv"
    path.write_text(text, encoding="utf-8")
    return plates.solved(*before, {"kind": "measured", "name": "test", "file": str(path), **words})


def test_points_have_the_units_of_the_project_and_ascend(plates):
    found = measured(plates, TEXT)
    np.testing.assert_allclose(found.results.values, [1e-3, 1e-2, 1e-1])
    assert found.results.axis.kind == "amplitude" and found.warnings == ()
    np.testing.assert_allclose(found.curve("natural frequency"), [310.0, 300.5, np.nan])
    np.testing.assert_allclose(found.curve("damping ratio"), [0.002, 0.01, 0.03])
    # In another unit system the same file has other numbers.
    words = plates.project.model_dump() | {"units": "m-kg-s"}
    kept, plates.project = plates.project, build(type(plates.project), words)
    try:
        np.testing.assert_allclose(measured(plates, TEXT).results.values, [1e-6, 1e-5, 1e-4])
    finally:
        plates.project = kept
    # Results follow the content of the file.
    np.testing.assert_allclose(
        measured(plates, TEXT.replace("310", "320")).curve("natural frequency")[0], 320.0
    )


def test_columns_without_a_heading_that_says_enough_are_named(plates):
    text = "t, x\n0, 1\n1, 2\n2, 4\n"
    names = [{"heading": "t", "unit": "ms"}, {"heading": "x", "name": "tip uz", "unit": "um"}]
    found = measured(plates, text, columns=names)
    assert found.results.axis.kind == "time" and found.curve_names == ("tip uz",)
    np.testing.assert_allclose(found.results.values, [0.0, 1e-3, 2e-3])
    np.testing.assert_allclose(found.curve("tip uz"), [1e-3, 2e-3, 4e-3])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1;2\n3;4\n", "no headings"),
        (
            "a [um];f [Hz]\n1;2\n3;four\n",
            "line 3: this line does not have a number below each of the 2 headings",
        ),
        ("a [um];f [Hz]\n", "there are no measured points in it"),
        ("f [Hz];zeta [yd7]\n1;2\n", "The unit 'yd7' of the column 'zeta' is not known"),
        ("a;f [Hz]\n1;2\n", "neither an amplitude"),
        ("a [um];f [Hz]\n0;2\n", "above zero"),
    ],
)
def test_other_files_are_refused_in_a_sentence(plates, text, message):
    with pytest.raises(FayingError, match=message):
        measured(plates, text)
    with pytest.raises(FayingError, match="has no column 'g'"):
        measured(plates, "a [um];f [Hz]\n1;2\n", columns=[{"heading": "g"}])


def test_tables_of_other_programs_are_read(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x (mm),y\n1,2\n,3\n", encoding="utf-8")
    x, y = read_headed_columns(path, "points")
    assert (x.heading, x.unit, y.heading, y.unit) == ("x", "mm", "y", "")
    assert x.values[0] == 1.0 and np.isnan(x.values[1]) and y.values == (2.0, 3.0)


def test_curves_of_the_same_kind_are_laid_over_on_their_own_axis(plates):
    points = measured(plates, TEXT).results
    over = Curve("Amplitude", np.array([1e-3, 1e-1]), "length", logarithmic=True)
    curves = (Curve("natural frequency", np.array([300.0, 290.0]), "frequency"),)
    plot = laid_over(curve_plot("run", over, curves, "mm-t-s"), {"test": points}, "mm-t-s")
    assert [series.name for series in plot.series] == ["natural frequency", "test: natural frequency"]
    assert plot.series[1].scatter and not plot.series[0].scatter  # there is no axis for the damping
    np.testing.assert_allclose(plot.series[1].x, [1e-3, 1e-2, 1e-1])
    # In other units of length they are drawn in those.
    shown = laid_over(
        curve_plot("run", over, curves, "mm-t-s", chosen_units={"length": "µm"}), {"test": points}, "mm-t-s",
        {"length": "µm"},
    )  # fmt: skip
    np.testing.assert_allclose(shown.series[1].x, [1.0, 10.0, 100.0])
    # Over time there is nothing to be laid over.
    moving = curve_plot("run", Curve("Time", np.arange(2.0), "time"), curves, "mm-t-s")
    assert laid_over(moving, {"test": points}, "mm-t-s").series == moving.series


def test_a_free_vibration_is_laid_over_amplitudes_by_its_decay(plates):
    times = np.linspace(0.0, 0.1, 2000)
    rows = "\n".join(
        f"{t},{np.exp(-0.01 * 2 * np.pi * 300 * t) * np.cos(2 * np.pi * 300 * t)}" for t in times
    )
    struck = measured(plates, f"time [s],tip uz [mm]\n{rows}\n").results
    over = Curve("Amplitude", np.array([1e-3, 1.0]), "length", logarithmic=True)
    curves = tuple(
        Curve(name, np.ones(2), quantity, i)
        for i, (name, quantity) in enumerate((("natural frequency", "frequency"), ("damping ratio", "")))
    )
    curves = (curves[0], stored_damping(curves[1]))
    plot = laid_over(curve_plot("run", over, curves, "mm-t-s"), {"struck": struck}, "mm-t-s")
    by_name = {series.name: series for series in plot.series}
    np.testing.assert_allclose(by_name["struck: tip uz frequency"].y, 300.0, rtol=1e-3)
    np.testing.assert_allclose(by_name["struck: tip uz damping ratio"].y, 0.01, rtol=1e-2)
    assert by_name["struck: tip uz damping ratio"].right and not by_name["struck: tip uz frequency"].right


def stored_damping(curve):
    from dataclasses import replace

    from faying.results.curve_key import CurveKey

    return replace(curve, key=CurveKey("damping ratio"))


def test_a_plot_takes_only_what_counts_alike():
    x, own = Axis("Amplitude", "mm"), Axis("Frequency", "Hz")
    plot = Plot("a", x, own, (Series("f", np.ones(2), np.ones(2), 3),))
    other = Plot("b", x, Axis("Damping ratio"), (Series("d", np.ones(2), np.ones(2)),), right=own)
    assert plot.with_others([other]).series == plot.series
    on_right = Plot(
        "b", x, Axis("Damping ratio"), (Series("g", np.ones(2), np.ones(2), 0, right=True),), right=own
    )
    (_, added) = plot.with_others([on_right]).series
    assert added.style == 4 and not added.right


def points_of(found, noise, added=0.0):
    rng = np.random.default_rng(5)
    frequency, damping = found.curve("natural frequency"), found.curve("damping by friction") + added
    rows = zip(
        1e3 * found.results.values, frequency * (1.0 + 2e-3 * noise * rng.standard_normal(len(frequency))),
        100.0 * damping * (1.0 + 0.05 * noise * rng.standard_normal(len(damping))), strict=True,
    )  # fmt: skip
    lines = [f"{a:.9g},{f:.9g},{d:.9g}" for a, f, d in rows]
    return "amplitude [um],frequency [Hz],damping [%]\n" + "\n".join(lines) + "\n"


def identified(plates, text, *parameters, **words):
    """Return the identification from points, with a project that has other laws than those that made the points."""
    path = plates.folder / "points.csv"
    path.write_text(text, encoding="utf-8")
    kept = plates.project
    changed = kept.model_dump()
    law = changed["bodies"][0]["joints"][0]["friction_law"]
    law |= {"friction_coefficient": 2.0 * FRICTION, "sticking_stiffness": 0.5 * STICKING}
    plates.project = build(type(kept), changed)
    try:
        return plates.solved(
            {**BACKBONE, "name": "model"}, {"kind": "measured", "name": "test", "file": str(path)},
            {
                "kind": "identification", "model": "model", "measured": "test", "damping_error": 0.05,
                "parameters": [{"quantity": quantity} for quantity in parameters], **words,
            },
        )  # fmt: skip
    finally:
        plates.project = kept


def test_the_parameters_that_made_the_points_are_found(plates):
    text = points_of(plates.solved(BACKBONE), noise=1.0, added=1e-3)
    found = identified(plates, text, "friction coefficient", "sticking stiffness", "added damping")
    rows = {row["parameter"]: row for row in found.report["identified"]}
    for name, true in (
        ("friction coefficient", FRICTION),
        ("sticking stiffness", STICKING),
        ("added damping", 1e-3),
    ):
        row = rows[name]
        assert row["value"] == pytest.approx(true, rel=0.2 if name == "added damping" else 0.05)
        assert row["lower"] < true < row["upper"]
    assert 0.3 < found.report["scatter"] < 2.0 and found.warnings == ()
    assert rows["sticking stiffness"]["unit"] == "N/mm³"
    # The table has them, the frames are those of the fitted backbone, and the points lie on it.
    assert [column.title for column in identified_table(found.results)][:2] == ["Parameter", "Value"]
    assert len(backbone_table(found.results)[0].values) == 8
    curves = tuple(stored_curve(found.results, name) for name in ("natural frequency", "damping ratio"))
    plot = laid_over(
        curve_plot("fit", axis_curve(found.results), curves, "mm-t-s"),
        {"test": plates_points(plates)},
        "mm-t-s",
    )
    by_name = {series.name: series for series in plot.series}
    points, curve = by_name["test: natural frequency"], by_name["natural frequency"]
    np.testing.assert_allclose(np.interp(points.x, curve.x, curve.y), points.y, rtol=0.02)


def plates_points(plates):
    return plates.session.results("test")


def test_friction_coefficient_and_preload_are_not_told_apart(plates):
    text = points_of(plates.solved(BACKBONE), noise=0.0)
    found = identified(plates, text, "friction coefficient", "preload")
    rows = {row["parameter"]: row for row in found.report["identified"]}
    (sentence,) = found.report["undetermined"]
    assert "do not tell friction coefficient and preload apart" in sentence
    assert sentence in found.warnings
    # Their product is the limit.
    limit = rows["friction coefficient"]["value"] * rows["preload"]["value"]
    assert limit == pytest.approx(FRICTION, rel=0.1)
    # The interval ends at the bounds.
    assert rows["preload"]["lower"] == 0.1 and rows["preload"]["upper"] == 10.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"measured": "model"}, "has no measured points over amplitude"),
        ({"model": "test"}, "is no backbone that can be fitted"),
        (
            {"parameters": [{"quantity": "sticking stiffness", "joint": "nowhere"}]},
            "Joint 'nowhere' has no friction",
        ),
        ({"parameters": [{"quantity": "preload"}, {"quantity": "preload"}]}, "fitted twice"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_a_sentence(plates, words, message):
    with pytest.raises(FayingError, match=message):
        identified(plates, TEXT, "preload", **words)
