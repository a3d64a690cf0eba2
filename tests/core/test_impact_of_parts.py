"""A rigid ball strikes a free elastic bar whose surface has contact shapes, against Hertz' law between two masses.

The bar is short, so that it is nearly a rigid mass whose end is an elastic half space.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from faying.analyses import BodyModel, SystemModel, analyses
from faying.fem.writers import write_model
from faying.params import build
from faying.progress import Silent
from faying.project.memory import Memory
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.results.results import Results
from support.boxes import STEEL, box

RADIUS, MASS, SPEED, START, TIME = 200.0, 1e-3, 300.0, 5e-4, 1e-4
FINE, WIDE, LONG = 0.3, 20.0, 60.0
BALL = {
    "kind": "rigid", "name": "ball", "mass": MASS, "moments_of_inertia": (1.0, 1.0, 1.0),
    "placement": {"position": (0.0, 0.0, RADIUS + START), "velocity": (0.0, 0.0, -SPEED)},
    "contact_surfaces": [{"kind": "sphere", "name": "skin", "radius": RADIUS}],
}  # fmt: skip


@pytest.fixture(scope="module")
def bar(tmp_path_factory):
    """A deck of the bar, fine where it is struck."""
    half = np.concatenate([FINE * np.arange(6), 5 * FINE + FINE * np.cumsum(1.8 ** np.arange(1, 6))])
    across = np.concatenate([-half[:0:-1], half])
    across[[0, -1]] = -0.5 * WIDE, 0.5 * WIDE
    down = np.concatenate([FINE * np.arange(5), 4 * FINE + FINE * np.cumsum(1.6 ** np.arange(1, 11))])
    down[-1] = LONG
    n, m = len(across) - 1, len(down) - 1
    model = box("hex8_incompatible", (n, n, m), (float(n), float(n), float(m)))
    at = np.round(model.nodes).astype(int)
    nodes = np.column_stack([across[at[:, 0]], across[at[:, 1]], -down[m - at[:, 2]]])
    near = np.flatnonzero((at[:, 2] == m) & (np.abs(nodes[:, :2]).max(axis=1) < 5.5 * FINE))
    folder = tmp_path_factory.mktemp("bar")
    write_model(replace(model, nodes=nodes, node_sets={"NEAR": near}), folder / "bar.inp")
    return folder


def struck(folder, shapes, stiffness) -> Results:
    body = {
        "name": "bar", "model": {"path": str(folder / "bar.inp")},
        "reduction": {"kind": "craig_bampton", "vibration_modes": 12},
        "contact_surfaces": [
            {"name": "end", "surface": {"kind": "deck_set", "name": "NEAR"}, "shapes": {"kind": shapes}}
        ],
    }  # fmt: skip
    law = {"kind": "linear_penalty", "stiffness": stiffness}
    hit = {"name": "hit", "master": "ball.skin", "slave": "bar.end", "contact_law": law, "reach": 0.5}
    system = {
        "name": "strike",
        "parts": [{"kind": "flexible", "name": "bar", "body": "bar"}, BALL],
        "contacts": [hit],
    }
    project = build(Project, {"bodies": [body], "systems": [system]})
    store = ArtifactStore(folder / "store")
    PIPELINE.run(project, Target("body", "bar"), store, memory=Memory())
    reduced = PIPELINE.value(project, Target("body", "bar"), store)
    integrator = {
        "kind": "hht",
        "first_step": 1e-7,
        "separate_modes": True,
        "largest_step": 1e-6,
        "tolerance": 1e-4,
    }
    words = {"name": "run", "system": "strike", "duration": TIME, "frames": 200, "integrator": integrator}
    target = folder / f"{shapes} {stiffness}.h5"
    model = SystemModel(project.systems[0], {"bar": BodyModel("bar", reduced, (), {})})
    build(analyses["motion"], words).run(model, target, Silent())
    return Results(target)


@pytest.mark.slow  # a mesh of 6000 nodes, fine enough for four facets in the radius of contact, and four runs on it
def test_a_ball_strikes_a_bar_as_hertz_says(bar):
    modulus = STEEL.youngs_modulus / (1.0 - STEEL.poisson_ratio**2)
    masses = 1.0 / MASS + 1.0 / (STEEL.density * WIDE**2 * LONG)

    def force(depth):
        return 4.0 / 3.0 * modulus * np.sqrt(RADIUS) * np.maximum(depth, 0.0) ** 1.5

    hertz = solve_ivp(
        lambda _, y: [y[1], -masses * force(y[0])], (0.0, TIME), [-START, SPEED], max_step=1e-7, rtol=1e-9
    )
    wanted = force(hertz.y[0])
    found = struck(bar, "every_node", 2e7)
    pressed = found.curve("hit normal force")
    assert pressed.max() == pytest.approx(wanted.max(), rel=0.03)
    assert found.values[pressed.argmax()] == pytest.approx(hertz.t[wanted.argmax()], rel=0.05)
    end, wanted_end = found.values[np.flatnonzero(pressed)[-1]], hertz.t[np.flatnonzero(wanted)[-1]]
    assert end == pytest.approx(wanted_end, rel=0.03)
    # The ball's momentum is in the impulse; the slave is the bar.
    lost = MASS * (found.curve("ball.frame vz")[-1] + SPEED)
    assert -found.curve("hit impulse z")[-1] == pytest.approx(lost, rel=1e-6)
    assert found.report["separation_ratio"] < 0.02
    # With contact shapes the law hardly matters, without them it does.
    twice = struck(bar, "every_node", 4e7).curve("hit normal force").max()
    assert twice == pytest.approx(pressed.max(), rel=0.03)
    stiff, stiffer = (struck(bar, "none", k).curve("hit normal force").max() for k in (2e7, 4e7))
    assert stiff > 2.0 * pressed.max() and stiffer > 1.1 * stiff
