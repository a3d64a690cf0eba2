"""Runs go on from where they were interrupted, and end as if they had never been."""

import json

import numpy as np
import pytest

from faying.analyses import BodyModel, SystemModel, analyses
from faying.errors import Cancelled
from faying.packed import pack, unpack
from faying.params import build
from faying.progress import Silent
from faying.project.store import ArtifactStore
from faying.results.results import Results
from faying.solvers.integrators import integrators
from support.systems import jointed_plates_model, system_of

KEY = "k" * 8


class StopAfter:
    """A progress that is cancelled at its n-th report of a step."""

    def __init__(self, count):
        self.left = count

    def report(self, fraction, text="", **values):
        if "steps" in values:
            self.left -= 1
            if self.left < 0:
                raise Cancelled


def test_packed_records_come_back_to_the_last_bit():
    value = {
        "a": np.asfortranarray(np.random.default_rng(0).normal(size=(3, 4))), "b": (1, 0.1, np.inf, None, "x"),
        "c": {"closed": np.array([True, False]), "empty": np.zeros((0, 3))},
    }  # fmt: skip
    found = unpack(pack(value))
    np.testing.assert_array_equal(found["a"], value["a"])
    assert found["a"].flags.f_contiguous and found["a"].flags.writeable
    assert found["b"] == value["b"]
    np.testing.assert_array_equal(found["c"]["closed"], [True, False])
    assert found["c"]["empty"].shape == (0, 3)
    with pytest.raises(ValueError, match="not a packed record"):
        unpack(pack({"a": 1}).replace(b"dict", b"dicu"))
    with pytest.raises(TypeError):
        pack(object())


@pytest.fixture(scope="module")
def plates() -> BodyModel:
    return jointed_plates_model()


def transient(integrator, frames=12, **words):
    settings = {
        "name": "shake", "body": "plates", "support": "HOLD", "duration": 1.2e-4, "frames": frames,
        "loads": [{"interface": "TIP", "force": (0.0, 0.0, -20.0), "course": {"kind": "haversine", "rise_time": 5e-5}}],
        "integrator": integrator, **words,
    }  # fmt: skip
    return build(analyses["transient"], settings)


def motion(integrator, frames=12):
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}],
        constraints=[{"kind": "revolute", "name": "hinge", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0),
                 "course": {"kind": "haversine", "rise_time": 5e-5}}],
    )  # fmt: skip
    words = {"name": "m", "system": "system", "duration": 1.2e-4, "frames": frames, "integrator": integrator}
    return spec, build(analyses["motion"], words)


def assert_same(found: Results, wanted: Results, rtol: float = 0.0) -> None:
    """Every dataset of all frames is the same."""
    assert found.complete and wanted.complete
    assert found.n_frames == wanted.n_frames
    for name in [*json.loads(wanted.root.attrs["checked"]), "checks"]:
        a, b = np.asarray(found.root[name]), np.asarray(wanted.root[name])
        scale = np.abs(b).max(initial=0.0)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * scale, err_msg=name)


def whole_and_interrupted(run, tmp_path, stops) -> tuple[Results, Results, list[int]]:
    """Return the results of a whole run and of one that was stopped again and again, and the frames at each stop."""
    run(tmp_path / "whole.h5", Silent())
    store, counts = ArtifactStore(tmp_path / "store"), []
    for stop in stops:
        with pytest.raises(Cancelled):
            run(store.begin_results(KEY), StopAfter(stop))
        counts.append(store.results(KEY).reached[1])
    run(store.begin_results(KEY), Silent())
    store.complete_results(KEY)
    assert [p.name for p in store.folder.iterdir()] == [f"{KEY}.results.h5"]
    return Results(tmp_path / "whole.h5"), store.results(KEY).open(), counts


STEPS = {"tolerance": 1e-5, "first_step": 1e-6, "largest_step": 3e-6}
SCHEMES = [
    {"kind": "hht", "alpha": -0.05, **STEPS},
    {"kind": "hht", "fixed_step": True, "largest_step": 2e-6},
    {"kind": "hht", "separate_modes": True, **STEPS},
    {"kind": "generalized_alpha", **STEPS},
    {"kind": "bdf", **STEPS},
]


@pytest.mark.parametrize("integrator", SCHEMES, ids=lambda words: "-".join(map(str, words.values()))[:30])
def test_a_transient_goes_on_to_the_last_bit(plates, tmp_path, integrator):
    """State, history of friction, step size and what the scheme carries on: the same steps, the same numbers."""
    analysis = transient(integrator)
    whole, found, counts = whole_and_interrupted(
        lambda target, progress: analysis.run(plates, target, progress), tmp_path, (25, 0, 9)
    )
    assert counts[0] == counts[1] < counts[2]
    assert found.report["steps"] == whole.report["steps"]
    assert found.report["joints"] == whole.report["joints"]
    assert len(found.report["went_on_at"]) == 2 and "went_on_at" not in whole.report
    assert_same(found, whole)


def test_every_integrator_is_among_them():
    assert {words["kind"] for words in SCHEMES} == set(integrators)


@pytest.mark.parametrize("integrator", [SCHEMES[0], SCHEMES[4]], ids=["hht", "bdf"])
def test_a_motion_goes_on_with_its_energy_balance(plates, tmp_path, integrator):
    spec, analysis = motion(integrator)
    model = SystemModel(spec, {"plates": plates})
    whole, found, _ = whole_and_interrupted(
        lambda target, progress: analysis.run(model, target, progress), tmp_path, (30, 1)
    )
    assert found.report["energy_balance"] == whole.report["energy_balance"]
    assert found.report["energy_drift"] == whole.report["energy_drift"]
    assert_same(found, whole)
