"""Interface nodes without constraint modes: where they are, how they move, and the compliance that is lost there.

Kinds of reference: the unreduced model by a dense solution of its own, and contracts.
"""

import numpy as np
import pytest

from faying.project import edits
from faying.project.checks import CheckedProject, checks
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.session import Session
from faying.testing.plates import plates, write_plate_deck

SLAVE = 46  # a node of the joint's slave surface, where no interface node may be held


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    deck = write_plate_deck(tmp_path_factory.mktemp("deck") / "plates.inp", divisions=8)
    return plates(deck)


def with_markers(project, components=()):
    """Return the plates with a marker on a node and one on the mean of the upper plate's lower face."""
    node = {"name": "middle", "node": SLAVE, "components": components}
    project = edits.add_interface("plates", node)(project)
    mean = {"name": "end", "surface": {"kind": "deck_surface", "name": "UPPER"}, "behaviour": "distributing"}
    return edits.add_coupling("plates", mean, "mean", components)(project)


@pytest.fixture(scope="module")
def marked(project, tmp_path_factory):
    return Session(with_markers(project), tmp_path_factory.mktemp("marked"))


def test_the_basis_is_that_of_the_body_without_markers(project, marked, tmp_path):
    """A node more to look at makes no trial vector stale; a mean of a face is a node of the model."""
    at_node = edits.add_interface("plates", {"name": "middle", "node": SLAVE, "components": ()})(project)
    basis = Target("basis", "plates")
    assert PIPELINE.key_of(at_node, basis) == PIPELINE.key_of(project, basis)
    assert PIPELINE.key_of(at_node, Target("body", "plates")) != PIPELINE.key_of(
        project, Target("body", "plates")
    )
    body, plain = (
        marked.compute(Target("body", "plates")),
        Session(project, tmp_path).compute(Target("body", "plates")),
    )
    assert body.n_coordinates == plain.n_coordinates
    row = body.interface_nodes["middle"]
    np.testing.assert_allclose(
        body.interfaces["middle"], body.displacements[3 * row : 3 * row + 3], atol=1e-12
    )
    # The mean of the face follows its nodes by the share of the area that is theirs.
    model = marked.compute(Target("model", "plates"))
    coupling = model.couplings[-1]
    of_nodes = body.displacements.reshape(-1, 3, body.n_coordinates)[coupling.nodes]
    mean = np.einsum("n,ncr->cr", coupling.weights / coupling.weights.sum(), of_nodes)
    np.testing.assert_allclose(body.interfaces["mean"][:3], mean, atol=1e-9 * np.abs(mean).max())


def test_lost_compliance_is_that_of_the_unreduced_model(marked):
    """Beside it the body under unit loads balanced by its inertia, solved densely as one system with constraints."""
    body, interior = (marked.compute(Target(stage, "plates")) for stage in ("body", "interior"))
    matrices = interior.matrices
    dofs, rigid = matrices.dofs, interior.rigid_modes
    fixed = np.vstack([matrices.constraints.toarray(), (matrices.mass @ rigid).T])
    whole = np.block([[matrices.stiffness.toarray(), fixed.T], [fixed, np.zeros((len(fixed),) * 2)]])
    lost = body.lost_compliances
    assert set(lost) == {"middle", "mean"} and (len(lost["middle"]), len(lost["mean"])) == (3, 6)
    for name, shares in lost.items():
        for k, share in enumerate(shares):
            force = dofs.transformation[dofs.node_rows(body.interface_nodes[name])].toarray()[k]
            right = np.concatenate([force, np.zeros(len(fixed))])
            full = force @ np.linalg.solve(whole, right)[: len(force)]
            reduced = body.interfaces[name][k] @ np.linalg.solve(body.stiffness, body.interfaces[name][k])
            assert share == pytest.approx(1.0 - reduced / full, abs=1e-6)
    assert lost["middle"].max() > 0.02 and lost["mean"][:3].max() < lost["middle"].max()


def test_the_loss_is_told_and_constraint_modes_mend_it(project, marked, tmp_path):
    def findings(session):
        reduced = {"plates": session.compute(Target("body", "plates"))}
        return list(
            checks["marker_compliance"](CheckedProject(session.project, session.base, reduced=reduced))
        )

    told = findings(marked)
    assert told[0].entity == ("bodies", 0, "interfaces", 2) and told[0].severity == "warning"
    assert "'middle'" in told[0].sentence and "less compliance" in told[0].sentence
    assert told[0].sentence in [each.sentence for each in marked.check()]
    # Away from the joint the node may have constraint modes, and nothing is lost any more.
    upper = edits.set_value(("bodies", 0, "interfaces", 2, "node"), SLAVE + 1)(marked.project)
    mended = edits.set_value(("bodies", 0, "interfaces", 2, "components"), (1, 2, 3, 4, 5, 6))(upper)
    assert not [each for each in findings(Session(mended, tmp_path)) if "'middle'" in each.sentence]


def test_a_system_bends_as_the_body_does_by_a_force_at_a_marker_alone(marked, tmp_path):
    """Beside the part held at its interface node by matrices, with its joint open."""
    force = {"kind": "point_force", "name": "push", "marker": "plates.mean", "force": [0.0, 0.0, 1e-3]}
    between = {"first": "ground.wall", "second": "plates.hold"}
    system = {
        "name": "rig", "gravity": [0, 0, 0], "ground": [{"name": "wall"}],
        "parts": [{"kind": "flexible", "name": "plates", "body": "plates", "joint_contact": False}],
        "constraints": [{"kind": "fixed", "name": "clamp", **between}],
        "forces": [force],
        "measures": [
            {
                "kind": "displacement", "name": "lift", "component": "z",
                "first": "ground.wall", "second": "plates.middle",
            },
        ],
    }  # fmt: skip
    rest = {"kind": "quasi_static", "name": "rest", "system": "rig", "duration": 0.0}
    unloaded = {**rest, "name": "before"}
    project = edits.add_analysis(rest)(edits.add_system(system)(marked.project))
    still = edits.add_analysis(unloaded)(edits.set_value(("systems", 0, "forces"), ())(project))
    lift = [
        Session(each, tmp_path).move(name).curve("lift")[-1]
        for each, name in ((project, "rest"), (still, "before"))
    ]
    held = marked.compute(Target("body", "plates")).clamped_to("hold")
    expected = held.interfaces["middle"][2] @ np.linalg.solve(
        held.stiffness, 1e-3 * held.interfaces["mean"][2]
    )
    assert lift[0] - lift[1] == pytest.approx(expected, rel=1e-4)
