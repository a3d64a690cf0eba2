"""Forces at supports: all that acts on their nodes counts, and they balance the loads at every frame."""

import numpy as np
import pytest

from faying.analyses.statics.reactions import moved
from faying.project.serialization import project_from_dict
from faying.reduction.carried import Acting
from faying.results.quality_warnings import find_warnings
from faying.results.verdicts import facts_of
from faying.session import Session
from support.two_blocks import write_two_blocks

PRESS, MU, PUSHED = 1200.0, 0.1, 0.05
STATICS = ["static", "unreduced_static"]


def face(name: str) -> dict:
    return {"kind": "deck_surface", "name": name}


def session_of(tmp_path, analysis: dict, counts=(2, 3, 2), **body) -> Session:
    deck = write_two_blocks(tmp_path / "blocks.inp", counts)
    words = {
        "units": "mm-t-s",
        "bodies": [{"name": "pair", "model": {"path": str(deck)}, **body}],
        "analyses": [{"name": "it", "body": "pair", "support": "supports", **analysis}],
    }
    return Session(project_from_dict(words), tmp_path / "artifacts")


JOINT = {
    "name": "dry", "master": face("LOW_Z1"), "slave": face("UP_Z0"), "search": {"pairs_at": "integration_points"},
    "contact_law": {"kind": "linear_penalty", "stiffness": 4e4},
    "friction_law": {"kind": "coulomb", "friction_coefficient": MU},
}  # fmt: skip
# The contact ends on the faces of "rim" and "push": its last rows act on supported nodes.
PUSH = {
    "supports": [
        {"name": "bed", "behaviour": "frictionless", "surface": face("LOW_Z0")},
        {"name": "left", "behaviour": "symmetry", "surface": face("LOW_X0")},
        {"name": "right", "behaviour": "symmetry", "surface": face("UP_X0")},
        {"name": "rim", "behaviour": "symmetry", "surface": face("LOW_Y0")},
        {"name": "push", "behaviour": "frictionless", "moves": True, "surface": face("UP_Y0")},
    ],
    "interfaces": [{"name": "supports", "node_set": "supports"}, {"name": "push", "node_set": "push"}],
    "joints": [JOINT],
    "loads": [{"kind": "surface_force", "name": "press", "surface": face("UP_Z1"), "force": [0.0, 0.0, -PRESS]}],
    "joint_modes": {"kind": "every_pair", "shear": True},
}  # fmt: skip
MOVED = [{"interface": "push", **dict.fromkeys(("ux", "uz", "rx", "ry", "rz"), 0.0), "uy": PUSHED}]


def ends(result, *names: str) -> list[float]:
    return [float(result.curve(name)[-1]) for name in names]


def test_contact_on_supported_nodes_counts(tmp_path) -> None:
    """Kind: statics. All slides, so what pushes and what holds against it bear μ N; half a row of contact is theirs."""
    analysis = {"kind": "unreduced_static", "body_loads": [{"load": "press"}], "displacements": MOVED}
    result = session_of(tmp_path, analysis, **PUSH).solve("it")
    push, rim, bed = ends(result, "push support force y", "rim support force y", "bed support force z")
    moved, held = ends(result, "push reaction force y", "supports reaction force y")
    assert (moved, held) == pytest.approx((MU * PRESS, -MU * PRESS), rel=1e-5)
    assert (push, rim, bed) == pytest.approx((moved, -moved, PRESS), rel=1e-6)
    assert result.report["reaction_balance"]["share"] < 1e-7


def test_steps_balance_at_every_frame(tmp_path) -> None:
    """Kind: statics. Pressed first, then pushed: the supports balance at each load step."""
    steps = [
        {"kind": "load", "body_loads": [{"load": "press"}], "displacements": [{**MOVED[0], "uy": 0.0}]},
        {"kind": "load", "body_loads": [{"load": "press"}], "displacements": MOVED},
    ]
    result = session_of(tmp_path, {"kind": "unreduced_steps", "steps": steps}, **PUSH).solve("it")
    push, rim = (result.curve(name) for name in ("push support force y", "rim support force y"))
    np.testing.assert_allclose(push, -rim, atol=1e-6 * MU * PRESS)
    assert push[-1] == pytest.approx(MU * PRESS, rel=1e-5)
    assert result.report["reaction_balance"]["share"] < 1e-7


def test_supports_sum_up_to_the_residual_of_their_node(tmp_path) -> None:
    """Kind: manufactured. In any state, of any contact forces, loads and accelerations, and in any frame."""
    session = session_of(tmp_path, {"kind": "static", "body_loads": [{"load": "press"}]}, **PUSH)
    held, rng = session.reduce().clamped_to("supports"), np.random.default_rng(5)
    n, pairs = held.n_coordinates, len(session.find_pairs("dry"))
    q, contact, a = (
        1e-3 * rng.standard_normal(n),
        rng.standard_normal((pairs, 3)),
        1e3 * rng.standard_normal(n),
    )
    acting = Acting({"press": 0.7}, (), {"dry": contact}, a)
    for node in held.held_nodes:
        own = [each for each in held.supports if each.node == node.node]
        borne = sum((moved(each.carried(q, acting), each.middle - node.middle) for each in own), np.zeros(6))
        wanted = node.carried(q, acting)
        assert len(own) == {"supports": 4, "push": 1}[node.name]
        # Weak springs take the ground of a punch along with its surface, across what the support bears.
        told = slice(None) if node.name == "supports" else [1, 3, 5]
        np.testing.assert_allclose(borne[told], wanted[told], atol=1e-7 * np.abs(wanted[told]).max())
        still = node.carried(q, Acting())
        assert np.abs(wanted - still).max() > 1e-3  # contact and inertia there are more than nothing


@pytest.mark.parametrize("kind", STATICS)
def test_preloads_on_supported_nodes_count(tmp_path, kind: str) -> None:
    """Kind: statics. Pressed together by forces that balance each other, one of them on the bed: it bears nothing."""
    body = {
        "supports": [{"name": "bed", "behaviour": "fixed", "surface": face("LOW_Z0")}],
        "interfaces": [{"name": "supports", "node_set": "supports"}],
        "joints": [JOINT],
        "preloads": [
            {
                "name": "clamp",
                "loads": [
                    {"kind": "surface_force", "surface": face(name), "force": PRESS} for name in ("LOW_Z0", "UP_Z1")
                ],
            }
        ],
    }  # fmt: skip
    result = session_of(tmp_path, {"kind": kind, "preloads": ["clamp"]}, **body).solve("it")
    assert ends(result, "dry normal force")[0] == pytest.approx(PRESS, rel=1e-3)
    assert ends(result, "bed support force z")[0] == pytest.approx(0.0, abs=5e-3 * PRESS)


def test_inertia_of_held_nodes_counts_in_motion(tmp_path) -> None:
    """Kind: statics of the moving body (d'Alembert). With all its modes a reduced body is the FE model."""
    body = {
        "supports": [{"name": "bed", "behaviour": "fixed", "surface": face("LOW_Z0")}],
        "interfaces": [{"name": "supports", "node_set": "supports"}],
        "joints": [{**JOINT, "treatment": "tied"}],
        "loads": PUSH["loads"],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 24},
    }
    integrator = {"kind": "hht", "alpha": 0.0, "largest_step": 1e-7, "fixed_step": True}
    analysis = {
        "kind": "transient", "duration": 2e-5, "frames": 20, "integrator": integrator, "stiffness_damping": 1e-6,
        "body_loads": [{"load": "press", "time_history": {"kind": "constant"}}],
    }  # fmt: skip
    result = session_of(tmp_path, analysis, counts=(1, 1, 1), **body).solve("it")
    bed, reaction = (result.curve(f"{name} force z") for name in ("bed support", "supports reaction"))
    assert np.ptp(reaction) > 0.5 * PRESS
    np.testing.assert_allclose(bed, reaction, atol=1e-3 * PRESS)
    assert result.report["reaction_balance"]["share"] < 1e-3


def test_a_basis_that_misses_the_forces_at_a_support_is_told(tmp_path) -> None:
    """The default basis knows no shear in the joint: what the rim bears is not what pushes."""
    analysis = {"kind": "static", "body_loads": [{"load": "press"}], "displacements": MOVED}
    session = session_of(tmp_path, analysis, **{**PUSH, "joint_modes": {"kind": "weighted_pod", "count": 2}})
    result = session.solve("it")
    rim, held = ends(result, "rim support force y", "supports reaction force y")
    balance = result.report["reaction_balance"]
    assert balance["share"] * PRESS >= abs(rim - held) * (1.0 - 1e-9) > 0.01 * PRESS
    said = [f for f in session.check() if f.check == "reaction_balance" or "doubtful" in f.sentence]
    assert said and balance["node"] in said[0].sentence


def test_a_run_out_of_balance_is_doubtful() -> None:
    found = {"share": 0.9, "force": 1800.0, "node": "supports", "at": 1.0}
    (warning,) = find_warnings({}, {"reaction_balance": found})
    assert "'supports'" in warning.sentence and "90 %" in warning.sentence
    assert find_warnings({}, {"reaction_balance": {**found, "share": 0.05}}) == ()
    (fact,) = facts_of({"reaction_balance": found}, "mm-t-s")
    assert fact.verdict == "doubtful"
