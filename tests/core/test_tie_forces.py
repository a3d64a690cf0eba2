"""What tied joints carry: against the loads behind them, reduced and not, as curves and as stresses on the surface."""

import numpy as np
import pytest

from faying.fem.writers import write_model
from faying.params import build
from faying.project.specs import Project
from faying.session import Session
from support.stacks import stacked_boxes

SIZE, DENSITY, PRESSURE, GRAVITY = (4.0, 2.0, 1.0), 7.85e-9, 3.0, 9810.0
AREA, WEIGHT = SIZE[0] * SIZE[1], SIZE[0] * SIZE[1] * SIZE[2] * DENSITY * GRAVITY
CURVES = ("force x", "force y", "force z", "moment x", "moment y", "moment z")


def acting(*loads: str) -> list[dict[str, object]]:
    return [{"load": name} for name in loads]


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("stack")
    model = stacked_boxes("hex8_incompatible", (3, 2, 2), (4, 3, 2), SIZE)
    write_model(model, folder / "stack.inp")
    sides = {name: {"kind": "deck_surface", "name": name} for name in ("LOW", "UP", "TOP")}
    corner = int(np.argmin(np.linalg.norm(model.nodes - [4.0, 2.0, 2.0], axis=1))) + 1
    bottom = {"kind": "box", "corner": [-1.0, -1.0, -0.1], "opposite": [5.0, 3.0, 0.1]}
    heat = {"kind": "temperature", "name": "heat", "change": 100.0}
    body = {
        "name": "stack", "model": {"path": str(folder / "stack.inp")},
        "materials": [{"kind": "isotropic", "name": "STEEL", "youngs_modulus": 210000.0, "poisson_ratio": 0.3,
                       "density": DENSITY, "expansion": 12e-6}],
        "supports": [{"name": "foot", "surface": bottom}],
        "joints": [{"name": "weld", "master": sides["LOW"], "slave": sides["UP"], "treatment": "tied"}],
        "loads": [
            {"kind": "pressure", "name": "pull", "pressure": -PRESSURE, "surface": sides["TOP"]},
            {"kind": "gravity", "name": "weight", "acceleration": [0.0, 0.0, -GRAVITY]},
            {"kind": "node_force", "name": "push", "node": corner, "force": [5.0, -2.0, 1.0]}, heat,
        ],
    }  # fmt: skip
    common = {"body": "stack", "support": "supports"}
    every = {"pull": ["pull"], "weight": ["weight"], "push": ["push"], "hot": ["heat", "push"]}
    analyses = [
        {"kind": kind, "name": prefix + name, **common, "body_loads": acting(*loads)}
        for name, loads in every.items()
        for prefix, kind in (("", "static"), ("full ", "unreduced_static"))
    ]
    row = [{"kind": "load", "body_loads": acting("pull")}, {"kind": "load", "body_loads": acting("weight")}]
    analyses += [
        {"kind": kind, "name": kind, **common, "steps": row} for kind in ("steps", "unreduced_steps")
    ]
    part = {"kind": "flexible", "name": "it", "body": "stack", "body_loads": acting("pull")}
    words = {"bodies": [body], "analyses": analyses, "systems": [{"name": "free", "parts": [part]}]}
    fall = {"kind": "motion", "name": "fall", "system": "free", "duration": 1e-5, "frames": 1}
    words["analyses"] = [*analyses, fall]
    return Session(build(Project, words), folder / "artifacts")


def carried(found: object, frame: int = -1) -> np.ndarray:
    return np.array([float(found.curve(f"weld {curve}")[frame]) for curve in CURVES])


def test_a_weld_carries_what_is_behind_it(stack: Session) -> None:
    """Statics: the loads on the upper box, and their moments about the middle of the weld."""
    push, arm = np.array([5.0, -2.0, 1.0]), np.array([2.0, 1.0, 1.0])
    turned = [*-push, *-np.cross(arm, push)]
    expected = {
        "pull": [0.0, 0.0, -PRESSURE * AREA, 0.0, 0.0, 0.0], "weight": [0.0, 0.0, WEIGHT, 0.0, 0.0, 0.0],
        "push": turned, "hot": turned,
    }  # fmt: skip
    for name, exact in expected.items():
        for prefix in ("", "full "):
            found = stack.solve(prefix + name)
            np.testing.assert_allclose(carried(found), exact, atol=1e-7 * np.abs(exact).max(), err_msg=name)
            force, moment = found.report["tied_joints"]["weld"]
            assert force == pytest.approx(np.linalg.norm(exact[:3]), rel=1e-6)
            assert moment == pytest.approx(np.linalg.norm(exact[3:]), rel=1e-6, abs=1e-6 * force)
    for name in ("steps", "unreduced_steps"):
        found = stack.solve(name)
        np.testing.assert_allclose(carried(found, 0), expected["pull"], atol=1e-6)
        np.testing.assert_allclose(carried(found, 1), expected["weight"], atol=1e-9)


def test_the_stress_in_a_weld_is_that_of_what_it_carries(stack: Session) -> None:
    for prefix in ("", "full "):
        normal = stack.solve(f"{prefix}pull").field("tie_normal_stress")
        there = np.isfinite(normal)
        assert there.sum() == 5 * 4  # the nodes of the slave
        # Held at its foot the stack narrows there, so that the pull is not quite even.
        assert normal[there].mean() == pytest.approx(PRESSURE, rel=0.05)
    hot, cold = (stack.solve(name).field("tie_shear_stress") for name in ("hot", "push"))
    # The foot does not grow: it holds the boxes back, which shears the weld far more than the push does.
    assert np.nanmax(hot) > 5.0 * np.nanmax(cold) > 0.0


def test_a_part_in_motion_tells_what_its_welds_carry(stack: Session) -> None:
    found = stack.move("fall")
    assert np.isfinite(found.curve("it: weld force z")).all()
