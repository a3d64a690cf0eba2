"""A flexible part with contact and friction in its joint, held by constraints and in motion."""

import numpy as np
import pytest

from faying.analyses import analyses
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from support.systems import jointed_plates_model, moved, system_of

HHT = {"kind": "hht", "alpha": -0.05, "tolerance": 1e-5, "first_step": 1e-7, "largest_step": 2e-5}
STEP = {"kind": "haversine", "rise_time": 1e-4}


@pytest.fixture(scope="module")
def plates():
    return jointed_plates_model()


def pushed(force, constraint, **more):
    """Return plates on a constraint at HOLD, whose TIP is pushed along z."""
    return system_of(
        ground=[{"name": "wall", "position": (0, 5, 0), "rotation": (-np.pi / 2, 0, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates",
                "markers": [{"name": "hold", "interface": "HOLD", "rotation": (-np.pi / 2, 0, 0)}], **more}],
        constraints=[{"kind": constraint, "name": "hinge", "first": "ground.wall", "second": "plates.hold"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, force),
                 "time_history": STEP}],
    )  # fmt: skip


@pytest.mark.parametrize(("force", "frame"), [(-20.0, "HOLD"), (20.0, "")])
def test_a_part_fixed_to_ground_moves_as_its_body_does_alone(plates, tmp_path, force, frame):
    """Theorem: the same equations, whether six constraints hold the body or its coordinates do.

    With the frame of the mean motion the part turns by a milliradian, which linear deformations do not see.
    """
    alone = build(
        analyses["transient"],
        {"name": "alone", "body": "plates", "support": "HOLD", "duration": 2e-4, "frames": 10, "integrator": HHT,
         "loads": [{"interface": "TIP", "force": (0, 0, force), "time_history": STEP}]},
    )  # fmt: skip
    alone.run(plates, tmp_path / "alone.h5", Silent())
    held = Results(tmp_path / "alone.h5")
    words = {key: value for key, value in HHT.items() if key != "kind"}
    spec = pushed(force, "fixed", frame=frame)
    motion = moved(spec, tmp_path, 2e-4, {"plates": plates}, frames=10, **words)
    wanted = held.curve("TIP uz")
    np.testing.assert_allclose(motion.curve("plates.TIP z") - 1.0, wanted, atol=1e-2 * np.abs(wanted).max())
    share = held.curve("joint closed share")
    assert share.max() > (0.1 if force < 0.0 else 0.0)
    # Pairs rattle: which of them a frame sees closed is chance.
    assert motion.curve("plates: joint closed share").mean() == pytest.approx(share.mean(), abs=0.1)
    assert motion.report["worst_constraint"] < 1e-8


def test_hinged_plates_that_clatter_never_gain_energy(plates, tmp_path):
    """Theorem: after the push ends nothing feeds energy; contact bounces and friction rubs while the plates turn."""
    pulse = {"kind": "pulse", "length": 1e-4}
    spec = pushed(-20.0, "revolute")
    push = spec.forces[0].with_(time_history=pulse)
    words = {key: value for key, value in HHT.items() if key != "kind"}
    motion = moved(spec.with_(forces=(push,)), tmp_path, 5e-4, {"plates": plates}, frames=50, **words)
    after = motion.values > 1.01e-4
    stored = motion.curve("kinetic energy") + motion.curve("elastic energy")
    share = motion.curve("plates: joint closed share")[after]
    assert np.ptp(share) > 0.1  # the joint opens and closes
    # Contact springs, whose energy is not counted, take a little and give it back.
    assert (stored[after] <= 1.01 * stored[after][0]).all()
    assert np.abs(motion.curve("hinge angle"))[-1] > 1e-3
    assert motion.report["worst_constraint"] < 1e-8
