"""Diagrams of whole runs: Campbell, poles, energies of modes, main effects; what a click on them shows."""

import csv
from contextlib import closing

import numpy as np
import pytest

from faying.analyses import SystemModel, analyses
from faying.analyses.diagrams import diagram_called, diagrams_of
from faying.errors import ModelError
from faying.exporters.plots import PictureSettings, plot_writer_for
from faying.params import build
from faying.progress import Silent
from faying.results.curve_key import CurveKey
from faying.results.main_effects import main_effects
from faying.results.results import Results
from faying.results.run_tables import RUN_TABLES
from faying.results.writer import ResultsWriter
from faying.testing import DiagramContract
from support.rotors import FAR, NEAR, rotor
from support.systems import system_of


def run(spec, path, kind, **words):
    build(analyses[kind], {"name": "a", "system": spec.name, **words}).run(
        SystemModel(spec, {}), path / "a.h5", Silent()
    )
    return Results(path / "a.h5")


def campbell(path, **words):
    words = {"drive": "turn", "highest_speed": 400.0, "speeds": 9, "count": 4, "orders": (1.0, 2.0), **words}
    return run(rotor(damping=(4.0, 6.0)), path, "campbell", **words)


# Campbell diagram ------------------------------------------------------------------------------------


def test_a_campbell_diagram_has_lines_rays_and_critical_speeds(tmp_path):
    with closing(campbell(tmp_path)) as results:
        plot = diagram_called(results, "campbell DIAGRAM", "m-kg-s")
        assert (plot.x.label, plot.y.unit, plot.over_frames) == ("Speed of rotation [rad/s]", "Hz", True)
        lines = [s for s in plot.series if s.name.startswith("mode ")]
        assert [line.name.split(", ")[-1] for line in lines].count("forward") == 2
        for k, line in enumerate(lines):
            np.testing.assert_array_equal(line.y, results.curve(f"mode {k + 1} natural frequency"))
            np.testing.assert_array_equal(line.shows, [(i, k) for i in range(9)])
            damping = results.curve(f"mode {k + 1} damping ratio")
            assert (np.argsort(line.sizes) == np.argsort(damping)).all()  # the larger the more damped
        # Rays end at the axis, on the line ω = order Ω.
        rays = [s for s in plot.series if s.role == "muted"]
        assert [ray.texts[-1] for ray in rays] == ["1×", "2×"]
        for order, ray in zip((1.0, 2.0), rays, strict=True):
            np.testing.assert_allclose(ray.y, order * ray.x / (2 * np.pi), rtol=1e-12)
            assert ray.y[-1] <= plot.y.limits[1] * (1 + 1e-12)
        (marks,) = (s for s in plot.series if s.name == "critical speed")
        rows = results.report["critical_speeds"]
        np.testing.assert_allclose(marks.x, [row["speed"] for row in rows])
        np.testing.assert_allclose(marks.y, [row["frequency"] for row in rows], rtol=1e-12)
        assert [int(shape) for _, shape in marks.shows] == [int(row["mode"]) - 1 for row in rows]
        table = RUN_TABLES["critical speeds"][1](results)
        assert table[0].shows == tuple(map(tuple, marks.shows.tolist()))


def test_all_of_them_are_whole(tmp_path):
    for folder, results in (("c", campbell), ("m", lambda path: run(oscillators(), path, "system_modes"))):
        (tmp_path / folder).mkdir()
        with closing(results(tmp_path / folder)) as found:
            DiagramContract().are_whole(tuple(diagrams_of(found, "mm-t-s").values()))


def test_each_frame_has_the_shapes_of_its_modes(tmp_path):
    """A forward mode of the round rotor: the centre of mass circles in the sense of the spin, a quarter period on."""
    with closing(campbell(tmp_path)) as results:
        assert results.n_shapes == 4
        whirl = [results.curve(f"mode {k + 1} whirl")[-1] for k in range(4)]
        for k in range(4):
            now, later = results.part("disc", k).swing(8)
            area = now[0] * later[1] - now[1] * later[0]  # of the ellipse, signed
            assert np.sign(area) == np.sign(whirl[k])
            # Tilt and displacement together: what a bearing at z sees is u + θ × z, and one end moves most.
            ends = [np.hypot(now[0] + now[4] * z, now[1] - now[3] * z) for z in (-NEAR, FAR)]
            assert max(ends) > 0.1
        first, second = (results.part("disc", k).swing(8) for k in (0, 1))
        assert np.abs(first - second).max() > 0.01
        assert results.axis.shape_text(results, 8, 1, "m-kg-s").startswith("mode 2, ")
        # A number that is not there is the last one.
        np.testing.assert_array_equal(results.part("disc", 99).swing(8), results.part("disc", 3).swing(8))


def made_up_speeds(path, damping):
    """Results with one mode at five speeds."""
    keys = {
        CurveKey("natural frequency", "frequency", place="mode 1"): np.full(5, 10.0),
        CurveKey("damping ratio", place="mode 1"): damping,
        CurveKey("whirl", place="mode 1"): np.ones(5),
    }
    with ResultsWriter(path, axis="speed", sizes={}, joints={}, curves=list(keys)) as writer:
        for i in range(5):
            writer.append(100.0 * i, curves={key: float(values[i]) for key, values in keys.items()})
        writer.close({"unstable_speeds": [{"from": 250.0, "to": 400.0}], "critical_speeds": []})
    return Results(path)


def test_modes_that_grow_are_red_from_where_they_do(tmp_path):
    with closing(made_up_speeds(tmp_path / "r.h5", np.array([0.02, 0.01, 0.005, -0.005, -0.01]))) as results:
        plot = diagram_called(results, "", "m-kg-s")
        (red,) = (s for s in plot.series if s.name == "unstable")
        assert red.role == "error" and np.isnan(red.y[:3]).all() and (red.y[3:] == 10.0).all()
        (begins,) = (s for s in plot.series if s.name == "growth begins")
        assert (begins.x.tolist(), begins.y.tolist()) == ([250.0], [10.0])
        table = RUN_TABLES["unstable speeds"][1](results)
        assert [c.values[0] for c in table] == [250.0, 400.0] and table[0].shows == ((3, 0),)


# Poles, and energies of modes -------------------------------------------------------------------------


def oscillators():
    """Two masses on springs to ground along z, the second with a damper: closed forms."""
    return system_of(
        parts=[
            {"kind": "rigid", "name": n, "mass": m, "moments_of_inertia": (1, 1, 1)}
            for n, m in (("a", 1.0), ("b", 2.0))
        ],
        constraints=[
            {"kind": "translational", "name": f"guide {n}", "first": "ground.origin", "second": f"{n}.frame"}
            for n in "ab"
        ],
        forces=[
            {"kind": "bushing", "name": f"spring {n}", "first": "ground.origin", "second": f"{n}.frame",
             "stiffness": (0.0, 0.0, k), "damping": (0.0, 0.0, d)}
            for n, k, d in (("a", 100.0, 0.0), ("b", 800.0, 4.0))
        ],
    )  # fmt: skip


def test_poles_are_those_of_the_closed_form(tmp_path):
    """−d/2m ± i sqrt(k/m − (d/2m)²), upper halves linked to their modes."""
    with closing(run(oscillators(), tmp_path, "system_modes")) as results:
        plot = diagram_called(results, "Pole map", "m-kg-s")
        found = next(s for s in plot.series if s.name == "poles")
        wanted = [(0.0, 10.0), (-1.0, np.sqrt(399.0)), (0.0, -10.0), (-1.0, -np.sqrt(399.0))]
        np.testing.assert_allclose(np.column_stack([found.x, found.y]), wanted, atol=1e-6)
        assert found.shows.tolist() == [[0, 0], [1, 0], [-1, -1], [-1, -1]]
        rays = [s for s in plot.series if s.role == "muted" and s.texts]
        for ray in rays:
            ratio = float(ray.texts[-1].removesuffix(" %")) / 100.0
            assert -ray.x[-1] / np.hypot(ray.x[-1], ray.y[-1]) == pytest.approx(ratio)
        assert rays


def test_energies_of_modes_are_bars_that_add_up(tmp_path):
    with closing(run(oscillators(), tmp_path, "system_modes")) as results:
        drawn = diagrams_of(results, "m-kg-s")
        assert list(drawn) == ["Kinetic energy", "Potential energy", "Damping", "Pole map"]
        kinetic = {s.name: s for s in drawn["Kinetic energy"].series}
        for name, shares in (("a", (100.0, 0.0)), ("b", (0.0, 100.0))):
            np.testing.assert_allclose(kinetic[name].y - kinetic[name].base, shares, atol=1e-6)
        assert kinetic["b"].shows.tolist() == [[0, 0], [1, 0]]
        (damper,) = drawn["Damping"].series  # ζ = d / 2 sqrt(k m) = 4 / 80, in percent
        np.testing.assert_allclose(damper.y, [0.0, 5.0], atol=1e-6)


def test_other_runs_have_no_diagrams(tmp_path):
    with ResultsWriter(
        tmp_path / "r.h5", axis="time", sizes={}, joints={}, curves=[CurveKey("step size")]
    ) as writer:
        writer.append(0.0, curves={CurveKey("step size"): 1.0})
        writer.close({})
    with closing(Results(tmp_path / "r.h5")) as results:
        assert diagrams_of(results, "m-kg-s") == {}
        with pytest.raises(ModelError, match="no diagram"):
            diagram_called(results, "Pole map", "m-kg-s")


# Main effects -----------------------------------------------------------------------------------------


def sweep(path, plan, x, y, values=((), ())):
    """Results of a sweep over decisions x (n, 2) with one result y (n,)."""
    settings = {
        "plan": plan, "quantities": {"tip": "length"},
        "variations": [{"decision": name, "values": list(v)} for name, v in zip("ab", values, strict=True)],
    }  # fmt: skip
    heads = ("point", "a", "b", "tip", "seconds")
    key = CurveKey("", "length", "response", "tip")
    with ResultsWriter(
        path, axis="point", sizes={}, joints={}, curves=[key], settings=settings, tables={"sweep": (len(y), heads)},
    ) as writer:  # fmt: skip
        writer.write_table("sweep", np.column_stack([np.arange(len(y)) + 1.0, x, y, np.ones(len(y))]))
        for i, value in enumerate(y):
            writer.append(i + 1.0, curves={key: float(value)})
        writer.close({})
    return Results(path)


def test_main_effects_of_a_grid_are_means_over_the_other_decision(tmp_path):
    """y = 3 a + b² on {0, 1, 2} × {−1, 0, 1, 3}: means by hand; the shares add up to one without interactions."""
    a, b = (each.ravel() for each in np.meshgrid([0.0, 1.0, 2.0], [-1.0, 0.0, 1.0, 3.0], indexing="ij"))
    with closing(sweep(tmp_path / "s.h5", "grid", np.column_stack([a, b]), 3.0 * a + b**2)) as results:
        of_a, of_b = main_effects(results)
        np.testing.assert_allclose(of_a.means, 11.0 / 4.0 + np.array([0.0, 3.0, 6.0]))
        np.testing.assert_allclose(of_b.means, 3.0 + np.array([1.0, 0.0, 1.0, 9.0]))
        assert (of_a.size, of_b.size) == pytest.approx((6.0, 9.0)) and of_a.linear == pytest.approx(6.0)
        assert of_a.share + of_b.share == pytest.approx(1.0)
        assert of_a.share == pytest.approx(9.0 * 2 / 3 / (9.0 * 2 / 3 + np.var([1.0, 0.0, 1.0, 9.0])))
        plot = diagram_called(results, "Main effects on tip", "mm-t-s")
        assert [s.name for s in plot.series[:2]] == ["a", "b"] and plot.y.label == "Mean of tip [mm]"
        assert [text for _, text in plot.x.ticks] == ["0", "1", "2", "-1", "0", "1", "3"]
        np.testing.assert_allclose(plot.series[2].y, np.mean(3.0 * a + b**2))  # the mean of all, dotted
        table = {c.title: c.values for c in RUN_TABLES["main effects"][1](results)}
        assert (
            table["Decision"] == ["a", "b"]
            and table["Smallest at"] == ["0", "0"]
            and table["Largest at"] == ["2", "3"]
        )


def test_random_points_are_gathered_into_intervals(tmp_path):
    """y = 5 a + 0 b + noise: the plane finds 5 within the noise; b explains next to nothing."""
    random = np.random.default_rng(1)
    x = np.column_stack([(random.permutation(100) + 0.5) / 100 for _ in range(2)])
    y = 5.0 * x[:, 0] + 0.01 * random.standard_normal(100)
    with closing(sweep(tmp_path / "s.h5", "latin_hypercube", x, y)) as results:
        of_a, of_b = main_effects(results)
        assert of_a.counts.tolist() == [20] * 5
        np.testing.assert_allclose(of_a.levels, [0.1, 0.3, 0.5, 0.7, 0.9], atol=1e-12)
        assert of_a.linear == pytest.approx(5.0 * np.ptp(x[:, 0]), rel=2e-3) and abs(of_b.linear) < 0.02
        assert of_a.share > 0.95 and of_b.share < 0.1


def test_decisions_that_are_texts_have_no_linear_change_and_a_search_no_effects(tmp_path):
    x = np.array([[1.0, 0.0], [2.0, 0.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.0]])
    y = np.array([1.0, 3.0, 2.0, 4.0, np.nan])
    words = (("coulomb", "none"), (0, 1, 2))
    with closing(sweep(tmp_path / "s.h5", "grid", x, y, words)) as results:
        of_a, of_b = main_effects(results)
        assert of_a.texts == ("coulomb", "none") and np.isnan(of_a.linear) and of_a.size == 2.0
        assert of_b.counts.tolist() == [2, 2] and of_b.linear == pytest.approx(1.0)
    with closing(sweep(tmp_path / "t.h5", "search", x, y, words)) as results:
        assert main_effects(results) == () and RUN_TABLES["main effects"][1](results) == ()


def test_a_diagram_is_a_table_as_well(tmp_path):
    with closing(campbell(tmp_path)) as results:
        plot = diagram_called(results, "", "m-kg-s")
        path = tmp_path / "c.csv"
        plot_writer_for(path).write(plot, path, PictureSettings())
        heads, *rows = csv.reader(path.open())
        assert heads[4] == "Speed of rotation [rad/s]"  # rays end sooner: each curve has its own
        assert heads[5].startswith("mode 3, ") and heads[5].endswith(": Natural frequency [Hz]")
        np.testing.assert_allclose([float(row[5]) for row in rows], plot.series[2].y, rtol=1e-8)
