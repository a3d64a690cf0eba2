"""Work of friction per cycle, over amplitudes at which a joint hardly slips and nearly slides.

Kind of reference: the unreduced steps. Without friction nothing is taken; with joint modes of normal contact alone it
fails, as the second half of the test says.
"""

import numpy as np

import faying
from faying.params import build
from faying.project.specs import Project
from support.clamps import clamp_body, write_clamp

AMPLITUDES = (450.0, 650.0)  # growing, so that each loop closes


def _session(folder, **modes):
    """Return a session of the bolted sleeve; its joint modes are the default ones, or the given ones."""
    body = clamp_body(write_clamp(folder / "clamp.inp"), 1e5)
    del body["joint_modes"]
    body |= modes
    for joint in body["joints"]:
        joint["friction_law"] = {"kind": "coulomb", "friction_coefficient": 0.15}
    steps = [{"kind": "tighten", "bolt": "bolt", "force": 5000.0}]
    for size in AMPLITUDES:
        steps += [
            {"kind": "load", "loads": [{"interface": "pull", "force": [sign * size, 0.0, 0.0]}]}
            for sign in (1.0, -1.0, 1.0)
        ]
    common = {"body": "clamp", "support": "hold", "steps": steps}
    analyses = [{"kind": kind, "name": kind, **common} for kind in ("steps", "unreduced_steps")]
    words = {"name": "sleeve", "units": "mm-t-s", "bodies": [body], "analyses": analyses}
    return faying.build(folder / "artifacts", **build(Project, words).model_dump())


def loops(run):
    """Return (2, 3): for each amplitude the work of a cycle, the stiffness between its turning points, the loss."""
    steps, motion, found = run.values, run.curve("pull ux"), []
    for k, size in enumerate(AMPLITUDES):
        first = 2 + 3 * k  # ends of steps: +A, then −A, then +A again
        inside = (steps > first - 1e-9) & (steps < first + 2 + 1e-9)
        at, u = steps[inside] - first, motion[inside]
        force = size * np.interp(at, [0.0, 1.0, 2.0], [1.0, -1.0, 1.0])
        work, swing = abs(np.trapezoid(force, u)), np.interp(0.0, at, u) - np.interp(1.0, at, u)
        found.append((work, 2.0 * size / swing, work / (np.pi * size * swing)))
    return np.array(found)


def test_work_per_cycle_is_that_of_the_unreduced_model(tmp_path):
    session = _session(tmp_path)
    reduced, full = (loops(session.solve(kind)) for kind in ("steps", "unreduced_steps"))
    assert full[1, 2] > 20.0 * full[0, 2] > 0.0  # damping depends on the amplitude
    np.testing.assert_allclose(reduced[:, 0], full[:, 0], rtol=0.05)
    np.testing.assert_allclose(reduced[:, 1], full[:, 1], rtol=0.01)

    of_contact_alone = {"kind": "equilibrium_snapshots", "count": 20}
    without = loops(_session(tmp_path, joint_modes=of_contact_alone).solve("steps"))
    assert (abs(without[:, 0] / full[:, 0] - 1.0) > 0.1).any()
