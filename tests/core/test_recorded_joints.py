"""Pairs of small joints, their rows and what they answer are what they were before."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from faying.fem.assembly import assemble
from faying.fem.skin import find_skin, surface_from_deck
from faying.joints.candidates import JointSearch
from faying.joints.contact_laws.exponential import Exponential
from faying.joints.contact_stiffness import fitted_to, penetration_at, propose_stiffness
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce, SparseJointForce
from faying.joints.kinematics import gap_rows, gaps_and_slips, slip_rows, sparse_rows
from faying.joints.linearized import pair_springs
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import REASONS
from faying.joints.pairs_table import write_pairs_table
from faying.joints.search import SearchSpec
from faying.joints.ties import pairs_of_loose_parts, surface_stiffness, tie_rows, weakly_tied
from faying.progress import Silent
from faying.reduction.body import JointRows
from support.plates import stacked_plates, three_plates
from support.recorded_numbers import compare, digest

WAYS = {
    "nodes": SearchSpec(distance=1.0),
    "points": SearchSpec(distance=1.0, pairs_at="integration_points"),
    "smooth": SearchSpec(distance=0.6, angle=20.0, smooth_normals=True, gap_offset=-0.01),
    "closed": SearchSpec(
        distance=1.0, close_gaps_below=0.2, remove_penetration_below=0.01, edge_tolerance=0.2
    ),
}
LAW, FRICTION = (
    Exponential(),
    Coulomb(friction_coefficient=0.3, sticking_stiffness=5e3, sliding_stiffness=20.0),
)


def bent(element="hex8_full"):
    """Return two plates, of which the upper one is bent and turned a little."""
    model = stacked_plates(upper=(6, 3, 1), lower=(5, 2, 1), element=element)
    nodes = model.nodes.copy()
    (upper,) = np.nonzero(nodes[:, 2] > 0.0)
    low = model.surfaces["UPPER"]
    up = np.unique(model.blocks[1].connectivity if len(model.blocks) > 1 else np.concatenate([upper]))
    x, y = nodes[up, 0].copy(), nodes[up, 1].copy()
    nodes[up, 2] += 3e-4 * x**2 - 0.004 * x + 0.002 * y
    nodes[up, 1] += 0.01 * x
    assert low.name == "UPPER"
    return replace(model, nodes=nodes)


@pytest.mark.parametrize("way", sorted(WAYS))
def test_pairs(way: str) -> None:
    model = bent()
    master, slave = surface_from_deck(model, "LOWER"), surface_from_deck(model, "UPPER")
    pairs = find_contact_pairs(model.nodes, master, slave, WAYS[way], Silent(), blocks=model.blocks)
    matrices = assemble(model)
    gaps, slips = gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs)
    rng = np.random.default_rng(3)
    moved = 1e-3 * rng.normal(size=(len(model.nodes), 3))
    values = rng.uniform(1.0, 2.0, len(pairs))
    found = digest(pairs, "pairs") | digest(gaps, "gaps") | digest(slips, "slips")
    found |= digest(gaps_and_slips(pairs, moved), "moved")
    found |= digest(pairs.node_areas, "areas") | digest(pairs.nodal_areas, "of nodes")
    for joining in ("mean", "nearest", "sum"):
        found |= digest(pairs.at_nodes(values, joining), joining)
        found |= digest(pairs.around_node(int(pairs.nodes_with_values[3]), joining), f"{joining} around")
    found |= digest([pairs.on_slave(moved), pairs.on_master(moved), pairs.on_unpaired(moved)], "on")
    found |= digest(tie_rows(pairs, model.nodes, matrices.dofs), "ties")
    found["surface"] = surface_stiffness(matrices.stiffness, gaps, pairs.node_areas)
    tied = weakly_tied(matrices, model.nodes, [pairs], 1e-3)
    found |= digest(tied.tie_forces, "tie forces") | digest(tied.stiffness.diagonal(), "tied")
    loose = pairs_of_loose_parts(model, [len(model.nodes) - 1], [pairs])
    found["loose"] = [each is not None for each in loose]
    proposal = propose_stiffness(model, master, slave, pairs)
    assert proposal is not None
    fitted = fitted_to(LAW, proposal)
    found |= digest(proposal, "proposal") | digest(fitted.model_dump(), "fitted")
    found["penetration"] = penetration_at(fitted, 7.0)
    compare("joints", f"pairs {way}", found, rtol=1e-6)


def test_joint_forces() -> None:
    """Dense over some motions and sparse over all dofs."""
    model = bent()
    pairs = find_contact_pairs(
        model.nodes,
        surface_from_deck(model, "LOWER"),
        surface_from_deck(model, "UPPER"),
        WAYS["nodes"],
        Silent(),
    )
    dofs = assemble(model).dofs
    rows = sparse_rows(pairs, dofs)
    rng = np.random.default_rng(5)
    motions = rng.normal(size=(dofs.n_dofs, 5))
    n = len(pairs)
    dense = JointRows(
        "lap", rows.normal @ motions, (rows.tangential @ motions).reshape(n, 2, 5), rows.weights, rows.initial_gaps,
        np.zeros((n, 6)), np.zeros((n, 2, 6)),
    )  # fmt: skip
    q = np.array([2e-2, -1e-2, 3e-2, 1e-2, -2e-2])
    found = {}
    for name, joint, x in (
        ("dense", JointForce(dense, LAW, FRICTION), q), ("sparse", SparseJointForce(rows, LAW, FRICTION), motions @ q),
        ("smooth", JointForce(dense, LAW, None), q), ("smooth sparse", SparseJointForce(rows, LAW, None), motions @ q),
    ):  # fmt: skip
        history = joint.resting_history(0.3 * x)
        for turn, share in enumerate((0.5, 1.0, 0.8)):
            answer = joint.evaluate(share * x, history, 1e-3, jacobian=True)
            history = answer.history
            found |= digest([answer.force, answer.jacobian], f"{name} {turn} force")
            found |= digest([answer.pressure, answer.stress, answer.slip, answer.gap], f"{name} {turn} pairs")
            found |= digest([answer.status, answer.history], f"{name} {turn} state")
        found |= digest([joint.gaps(x), joint.total_slip(x), joint.initial_history()], f"{name} kinematics")
        lifted = joint.lifted(np.full(n, 0.01))
        found |= digest(lifted.evaluate(x, history, 1e-3, jacobian=True).force, f"{name} lifted")
        friction = None if name.startswith("smooth") else FRICTION
        for sticking in ("equilibrium", "stuck", "sliding"):
            springs = pair_springs(LAW, friction, answer, dense.weights, sticking)
            whole = (
                springs.over(dense)
                if "sparse" not in name
                else motions.T @ (springs.over_dofs(rows) @ motions)
            )
            found |= digest([whole, springs.closed, springs.sticking], f"{name} {sticking}")
    compare("joints", "forces", found)


def test_candidates() -> None:
    model = three_plates()
    search = JointSearch.of(model, find_skin(model), 4.5)
    found = {}
    for distance, angle in ((0.1, 30.0), (4.5, 30.0)):
        for k, each in enumerate(search.candidates(distance, angle)):
            name = f"{distance} {k}"
            measure = search.measure(each)
            found |= digest([each.parts, each.areas, each.limits, each.facets, each.surfaces], name)
            found |= digest(each.swapped().facets, f"{name} swapped") | digest(measure, f"{name} measure")
    compare("joints", "candidates", found)


@pytest.mark.parametrize("way", ["nodes", "points", "short"])
def test_tables_say_of_every_point_what_it_has(way: str, tmp_path) -> None:
    model = bent()
    spec = WAYS.get(way) or SearchSpec(distance=0.03)
    pairs = find_contact_pairs(
        model.nodes, surface_from_deck(model, "LOWER"), surface_from_deck(model, "UPPER"), spec, Silent(),
        blocks=model.blocks,
    )  # fmt: skip
    assert (way == "short") <= (pairs.n_unpaired > 3)
    write_pairs_table(tmp_path / "pairs.csv", pairs, model, "mm-t-s")
    with (tmp_path / "pairs.csv").open(newline="", encoding="utf-8") as stream:
        head, *rows = csv.reader(stream)
    assert len(rows) == len(pairs) + pairs.n_unpaired
    assert {len(row) for row in rows} == {len(head)}
    paired, others = rows[: len(pairs)], rows[len(pairs) :]
    numbers = np.array([[float(cell) for cell in row[1:-1]] for row in paired])
    wanted = np.column_stack(
        [pairs.on_slave(model.nodes), pairs.normals, pairs.facets, pairs.local_coordinates, pairs.initial_gaps,
         pairs.weights]
    )  # fmt: skip
    np.testing.assert_allclose(numbers, wanted, rtol=1e-8, atol=1e-12)
    assert all(row[-1] == "" for row in paired)
    assert [row[-1] for row in others] == [REASONS[k] for k in pairs.unpaired_reasons]
    places = np.array([[float(cell) for cell in row[1:4]] for row in others]).reshape(-1, 3)
    np.testing.assert_allclose(places, pairs.on_unpaired(model.nodes), rtol=1e-8, atol=1e-12)
    assert all(cell == "" for row in others for cell in row[4:-1])
