"""Controllers, events and the compiled step in one motion."""

from importlib.util import find_spec

import numpy as np
import pytest

from faying.analyses import SystemModel, analyses
from faying.multibody.system import MultibodySystem
from faying.params import build
from faying.progress import Cancelled, Silent
from faying.project.store import ArtifactStore
from faying.results.results import Results
from faying.solvers.integrators import _step
from support.systems import BAR, DOWN_Y, system_of

ALONG_X = (0.0, np.pi / 2, 0.0)
CURVES = ("x", "swing", "pid", "cart.frame vx", "bar.left wz", "total energy", "energy lost at events")


class StopAfter:
    """A progress that is cancelled at its n-th report of a step."""

    def __init__(self, count):
        self.left = count

    def report(self, fraction, text="", **values):
        self.left -= "steps" in values
        if self.left < 0:
            raise Cancelled


def crane(sample_time: float):
    """Return a cart on a rail under a PID, with a hanging bar that is released, a brake and an actuator that is cut."""
    cart = {**BAR, "name": "cart", "mass": 3.0, "markers": [{"name": "slide", "rotation": ALONG_X}]}
    bar = {**BAR, "name": "bar", "placement": {"position": (0, -0.5, 0), "rotation": (0, 0, -np.pi / 2)}}
    pid = {"kind": "pid", "name": "pid", "input": "x", "set_point": 0.6, "proportional": 60.0, "integral": 20.0,
           "derivative": 25.0, "filter_time": 0.02, "sample_time": sample_time}  # fmt: skip
    motor = {
        "kind": "point_force",
        "name": "motor",
        "marker": "cart.frame",
        "force": (1.0, 0.0, 0.0),
        "measure": "pid",
    }
    brake = {"kind": "prescribed_displacement", "name": "brake", "first": "ground.rail", "second": "cart.slide",
             "amplitude": 0.0, "active": False}  # fmt: skip
    events = [
        {"kind": "crossing", "name": "drop", "measure": "x", "level": 0.35,
         "actions": [{"kind": "release", "constraints": ["hook"]}]},
        {"kind": "at_time", "name": "cut", "time": 0.803, "actions": [{"kind": "switch", "off": ["motor"]}]},
        {"kind": "at_time", "name": "stop", "time": 1.0,
         "actions": [{"kind": "activate", "constraints": ["brake"], "where_they_are": True}]},
    ]  # fmt: skip
    return system_of(
        ground=[{"name": "rail", "rotation": ALONG_X}], parts=[cart, bar], gravity=DOWN_Y, controllers=[pid],
        constraints=[{"kind": "translational", "name": "rail", "first": "ground.rail", "second": "cart.slide"},
                     {"kind": "revolute", "name": "hook", "first": "cart.frame", "second": "bar.left"}, brake],
        forces=[motor], events=events,
        measures=[{"kind": "displacement", "name": "x", "second": "cart.frame", "component": "x"},
                  {"kind": "angle", "name": "swing", "second": "bar.left"}],
    )  # fmt: skip


def falling():
    """Return two bars in a row without any force: all is in tables; the second one is let go where it hangs."""
    parts = [{**BAR, "name": f"b{k}", "placement": {"position": (k + 0.5, 0, 0)}} for k in range(2)]
    hinges = [{"kind": "revolute", "name": f"h{k}", "first": ("ground.origin", "b0.right")[k], "second": f"b{k}.left"}
              for k in range(2)]  # fmt: skip
    return system_of(
        parts=parts, constraints=hinges, gravity=DOWN_Y,
        measures=[{"kind": "displacement", "name": "x", "second": "b1.left", "component": "x"},
                  {"kind": "angle", "name": "swing", "second": "b0.left"}],
        events=[{"kind": "crossing", "name": "drop", "measure": "x", "level": 0.2, "direction": "falling",
                 "actions": [{"kind": "release", "constraints": ["h1"]}]},
                {"kind": "crossing", "name": "end", "measure": "swing", "level": -1.8, "direction": "falling",
                 "actions": [{"kind": "save"}]}],
    )  # fmt: skip


def motion(spec, duration, kind="hht", **words):
    usual = {"alpha": -0.05} if kind == "hht" else {}
    integrator = {"kind": kind, **usual, "first_step": 1e-4, "largest_step": 1e-2, "tolerance": 1e-6, **words}
    return build(analyses["motion"], {"name": "run", "system": spec.name, "duration": duration, "frames": 60,
                                      "integrator": integrator})  # fmt: skip


def moved(spec, path, duration, **words):
    motion(spec, duration, **words).run(SystemModel(spec, {}), path, Silent())
    return Results(path)


@pytest.fixture
def taken(monkeypatch):
    """Return how many steps were taken by stages and by their twin."""
    counts = {"staged": 0, "compiled": 0}
    staged, take = _step.take_staged_step, _step.CompiledStep.take

    def by_stages(*words):
        counts["staged"] += 1
        return staged(*words)

    def by_twin(*words):
        found = take(*words)
        counts["compiled"] += found is not None
        return found

    monkeypatch.setattr(_step, "take_staged_step", by_stages)
    monkeypatch.setattr(_step.CompiledStep, "take", by_twin)
    return counts


CASES = {"sampled": lambda: crane(0.02), "continuous": lambda: crane(0.0), "in tables": falling}


@pytest.mark.skipif(find_spec("numba") is None, reason="without numba the stages take all steps")
@pytest.mark.parametrize(
    ("name", "kind"), [("sampled", "hht"), ("continuous", "generalized_alpha"), ("in tables", "hht")]
)
def test_the_compiled_step_takes_all_steps_between_events(tmp_path, monkeypatch, taken, name, kind):
    """As the stages do: curves to 1e-10 of their range, the same events at the same times; the balance closes."""
    spec = CASES[name]()
    duration = 1.2
    found = moved(spec, tmp_path / "compiled.h5", duration, kind=kind)
    assert taken["staged"] == 0 and taken["compiled"] >= found.report["steps"] > 60, taken
    monkeypatch.setattr(MultibodySystem, "tables", lambda self: None)
    staged = moved(spec, tmp_path / "staged.h5", duration, kind=kind)
    assert taken["staged"] >= staged.report["steps"] > 0
    names = [each["name"] for each in staged.report["events"]]
    assert names == [each.name for each in spec.events]
    assert [each["name"] for each in found.report["events"]] == names
    for own, twin in zip(found.report["events"], staged.report["events"], strict=True):
        assert own["time"] == pytest.approx(twin["time"], rel=1e-10), own["name"]
    np.testing.assert_allclose(found.values, staged.values, rtol=1e-12)
    balance = found.report["energy_balance"]
    for curve in (each for each in CURVES if each in staged.curve_names):
        twin = staged.curve(curve)
        scale = balance["turned over"] if "energy" in curve else float(np.abs(twin).max())
        np.testing.assert_allclose(found.curve(curve), twin, rtol=0.0, atol=1e-10 * scale, err_msg=curve)
    assert abs(balance["taken by the integration"]) < 2e-3 * balance["turned over"]
    if name != "in tables":
        assert balance["energy lost at events"] > 1e-3 * balance["turned over"]


@pytest.mark.parametrize("name", ["sampled", "in tables"])
def test_an_interrupted_run_with_control_goes_on_bit_for_bit(tmp_path, name):
    """Interrupted before, between and behind the events."""
    spec = CASES[name]()
    run = motion(spec, 1.2)
    run.run(SystemModel(spec, {}), tmp_path / "whole.h5", Silent())
    whole = Results(tmp_path / "whole.h5")
    store, key = ArtifactStore(tmp_path), "k" * 8
    steps = whole.report["steps"]
    for count in (steps // 4, steps // 3, steps // 4):
        with pytest.raises(Cancelled):
            run.run(SystemModel(spec, {}), store.begin_results(key), StopAfter(count))
    run.run(SystemModel(spec, {}), store.begin_results(key), Silent())
    store.complete_results(key)
    found = store.results(key).open()
    assert len(found.report["went_on_at"]) == 3
    for curve in (each for each in CURVES if each in whole.curve_names):
        np.testing.assert_array_equal(found.curve(curve), whole.curve(curve))
    for entry in ("events", "event_counts", "energy_balance", "steps"):
        assert found.report[entry] == whole.report[entry]


def test_a_sampled_controller_goes_on_while_its_motor_is_off(tmp_path):
    """As if another force still followed it: samples are taken in time, and none is missed when it is on again."""

    def toggled(*more):
        spec = crane(0.02)
        off = {
            "kind": "at_time",
            "name": "off",
            "time": 0.304,
            "actions": [{"kind": "switch", "off": ["motor"]}],
        }
        on = {
            "kind": "at_time",
            "name": "on",
            "time": 0.606,
            "actions": [{"kind": "switch", "on": ["motor"]}],
        }
        words = spec.model_dump()
        return system_of(**{**words, "events": [off, on], "forces": [*words["forces"], *more]})

    nothing = {"kind": "point_force", "name": "nothing", "marker": "ground.rail", "force": (1.0, 0.0, 0.0),
               "measure": "pid"}  # fmt: skip
    found = moved(toggled(), tmp_path / "alone.h5", 0.8)
    twin = moved(toggled(nothing), tmp_path / "followed.h5", 0.8)
    assert np.ptp(twin.curve("pid")[(twin.values > 0.31) & (twin.values < 0.6)]) > 1.0
    for curve in ("x", "pid"):
        np.testing.assert_allclose(
            found.curve(curve), twin.curve(curve), atol=1e-12 * np.ptp(twin.curve(curve))
        )
