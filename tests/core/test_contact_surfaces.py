"""Contact surfaces on the way from a deck to the reduced body: shapes in the basis, surfaces by name, keys."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import ModelError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.skin import nodal_normals
from faying.fem.surface import nodal_areas
from faying.fem.writers import write_model
from faying.linalg.room import LIMIT, MemoryNeedError
from faying.multibody.bodies import FlexibleBody
from faying.multibody.contacts.surface import PartSurface
from faying.params import build
from faying.progress import Silent
from faying.project import edits
from faying.project.assembled import assembled_system
from faying.project.checks import CheckedProject, run_checks
from faying.project.memory import Memory
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.reduction.contact_shapes.every_node import EveryNode
from support.boxes import box

TOP = {"name": "top", "surface": {"kind": "deck_set", "name": "ZMAX"}}
END = {"name": "end", "surface": {"kind": "deck_set", "name": "XMAX"}, "shapes": {"kind": "none"}}
BODY, BASIS = Target("body", "block"), Target("basis", "block")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("block")
    model = box("hex8", (4, 3, 2), (20.0, 15.0, 8.0))
    corners = {"ZMAX", "XMAX", "ZMIN"}
    write_model(
        replace(model, node_sets={k: v for k, v in model.node_sets.items() if k in corners}),
        folder / "block.inp",
    )
    return folder  # fmt: skip


def block(folder, *, held, method="craig_bampton", surfaces=(TOP, END)) -> Project:
    rows = box("hex8", (4, 3, 2), (20.0, 15.0, 8.0)).node_sets["ZMIN"]
    corners = [{"name": f"n{k}", "node": int(rows[k]) + 1} for k in (0, 4, -1)]
    words = {
        "name": "block", "model": {"path": str(folder / "block.inp")}, "interfaces": corners if held else [],
        "reduction": {"kind": method, "vibration_modes": 5}, "contact_surfaces": list(surfaces),
    }  # fmt: skip
    return build(Project, {"bodies": [words]})


def computed(project, folder, target=BODY):
    return PIPELINE.run(project, target, ArtifactStore(folder / "store"), memory=Memory())


@pytest.fixture(
    scope="module", params=[(False, "craig_bampton"), (True, "craig_bampton"), (True, "free_interface")]
)
def case(request, folder):
    """(held, basis, reduced body as it comes back from the store, full matrices, model)."""
    held, method = request.param
    project = block(folder, held=held, method=method)
    store = ArtifactStore(folder / "store")
    PIPELINE.run(project, BODY, store, memory=Memory())
    body, basis = PIPELINE.value(project, BODY, store), PIPELINE.value(project, BASIS, store)
    model = PIPELINE.run(project, Target("model", "block"), store, memory=Memory())
    return held, basis, body, assemble(model, Silent()), model


def test_shapes_are_a_group_of_the_basis_and_orthonormal_in_the_energy(case):
    _, basis, body, matrices, _ = case
    group = next(group for group in basis.groups if group.name.startswith("contact shapes"))
    assert [g.name for g in basis.groups][-1] == "contact shapes of top"
    own = basis.modes[:, group.start : group.stop]
    # Every node has one; as many combinations as there are constraint and rigid body motions may be there already.
    assert 20 - 6 <= own.shape[1] <= 20
    np.testing.assert_allclose(own.T @ (matrices.stiffness @ own), np.eye(own.shape[1]), atol=1e-9)
    np.testing.assert_allclose(body.stiffness[group.start :, group.start :], np.eye(own.shape[1]), atol=1e-9)
    assert np.abs(body.stiffness[group.start :, : group.start]).max() < 1e-8 * np.sqrt(body.stiffness.max())
    fast = body.joint_mode_stiffness
    assert not fast[: group.start].any()
    np.testing.assert_allclose(fast[group.start :], 1.0, atol=1e-9)


def full_response(matrices, nodes, held_dofs, load):
    """Return the full model's displacements: held dofs at rest, or the free body's with inertia relief (dense)."""
    stiffness, mass = matrices.stiffness.toarray(), matrices.mass.toarray()
    n = len(load)
    if len(held_dofs):
        inner = np.setdiff1d(np.arange(n), held_dofs)
        u = np.zeros(n)
        u[inner] = la.solve(stiffness[np.ix_(inner, inner)], load[inner], assume_a="pos")
        return u
    rigid = rigid_body_modes(nodes, matrices.dofs)
    moments = mass @ rigid
    both = np.block([[stiffness, moments], [moments.T, np.zeros((6, 6))]])
    scale = np.concatenate([np.ones(n), np.full(6, 1.0 / np.abs(moments).max())])
    both = scale[:, None] * both * scale
    return (scale * la.solve(both, np.concatenate([load, np.zeros(6)])))[:n]


def reduced_response(body, held_nodes, load):
    """Return nodal displacements of the reduced body, rigid motions included where nodes hold it."""
    force = body.displacements.T @ load
    if not held_nodes:
        return body.displacements @ la.solve(body.stiffness, force, assume_a="pos")
    n = len(body.nodes)
    rigid = np.zeros((n, 3, 6))
    rigid[:, range(3), range(3)] = 1.0
    for k, axis in enumerate(np.eye(3)):
        rigid[:, :, 3 + k] = np.cross(axis, body.nodes - body.nodes.mean(axis=0))
    rows = np.hstack([rigid.reshape(-1, 6), body.displacements])
    held = np.concatenate([rows[3 * k : 3 * k + 3] for k in held_nodes])
    free = la.null_space(held)
    stiffness = np.zeros((rows.shape[1],) * 2)
    stiffness[6:, 6:] = body.stiffness
    return rows @ (free @ la.solve(free.T @ stiffness @ free, free.T @ (rows.T @ load), assume_a="sym"))


def test_statics_under_a_force_at_any_node_of_the_surface_are_exact(case):
    held, _, body, matrices, _ = case
    top = body.surfaces["top"]
    normals = nodal_normals(top, body.nodes)
    np.testing.assert_allclose(normals, np.tile([0, 0, 1], (20, 1)), atol=1e-12)
    nodes = list(body.interface_nodes.values()) if held else []
    fixed = (
        np.concatenate([3 * np.array([k]) + np.arange(3) for k in nodes]).astype(int)
        if held
        else np.zeros(0, int)
    )
    for k in (0, 7, 19):
        load = np.zeros(3 * len(body.nodes))
        load[3 * top.nodes[k] + 2] = 1.0
        exact = full_response(matrices, body.nodes, fixed, load)
        found = reduced_response(body, nodes, load)
        np.testing.assert_allclose(found, exact, atol=1e-9 * np.abs(exact).max())


def test_the_reduced_body_has_its_surfaces_by_name(case, folder):
    *_, body, _, _ = case
    assert list(body.surfaces) == ["top", "end"]
    assert (len(body.surfaces["top"].nodes), len(body.surfaces["end"].nodes)) == (20, 12)
    assert nodal_areas(body.surfaces["top"], body.nodes).sum() == pytest.approx(300.0)
    part = build(Project, {"systems": [{"name": "s", "parts": [
        {"kind": "flexible", "name": "a", "body": "block"}, {"kind": "rigid_body", "name": "b", "body": "block"},
    ]}]}).systems[0]  # fmt: skip
    bodies = {"block": FlexibleBody("block", body)}
    parts = part.build(bodies).parts
    number, soft = part.surface("a.top", parts, bodies, "it")
    assert number == 1 and isinstance(soft, PartSurface)
    assert soft.displacements.shape == (20, 3, body.n_coordinates)
    q = parts[1].placed(np.zeros(3), np.array([1.0, 0, 0, 0]), np.linspace(-1, 1, body.n_coordinates))
    moved = (body.displacements @ q[7:]).reshape(-1, 3)[body.surfaces["top"].nodes]
    np.testing.assert_allclose(soft.deformed(q), body.nodes[body.surfaces["top"].nodes] + moved)
    number, stiff = part.surface("b.end", parts, bodies, "it")
    assert number == 2 and isinstance(stiff, PartSurface) and stiff.displacements.shape == (12, 3, 0)
    with pytest.raises(ModelError, match=r"There are: a.top, a.end, b.top, b.end"):
        part.surface("a.side", parts, bodies, "it")


def test_without_surfaces_nothing_is_read_or_needed_for_them(folder):
    """Keys of bodies that have none are what they were."""
    plain = block(folder, held=True, surfaces=())
    for target, words, needs in (
        (BASIS, {"joint modes"}, {"components"}),
        (BODY, {"interface nodes", "joints"}, {"model", "matrices", "basis"}),
    ):
        recipe = PIPELINE.recipe_of(plain, target)
        assert set(recipe.reads) == words and set(recipe.needs) == needs
    assert not PIPELINE.targets_of(plain, "contact_surfaces")
    assert PIPELINE.targets_of(block(folder, held=True), "contact_surfaces")


def test_what_each_decision_about_a_surface_makes_stale(folder):
    project = block(folder, held=True)

    def stale(*steps):
        changed = project
        for step in steps:
            changed = step(changed)
        return {
            target.stage
            for target in (Target(stage, "block") for stage in ("model", "components", "basis", "body"))
            if PIPELINE.key_of(project, target) != PIPELINE.key_of(changed, target)
        }

    at = ("bodies", 0, "contact_surfaces")
    assert stale(edits.rename((*at, 0), "upper")) == {"body"}
    assert stale(edits.set_value((*at, 0, "shapes"), {"kind": "patches", "radius": 4.0})) == {"basis", "body"}
    assert stale(edits.set_value((*at, 0, "surface"), {"kind": "deck_set", "name": "ZMIN"})) == {
        "basis",
        "body",
    }
    # A surface without shapes costs no basis.
    bare = edits.remove((*at, 0))(project)
    assert "contact_surfaces" not in PIPELINE.recipe_of(bare, BASIS).needs
    assert "contact_surfaces" in PIPELINE.recipe_of(bare, BODY).needs


def test_a_surface_that_is_not_there_is_said(folder):
    wrong = {"name": "side", "surface": {"kind": "deck_set", "name": "SIDE"}}
    with pytest.raises(ModelError, match=r"Contact surface 'side'.*SIDE"):
        computed(block(folder, held=False, surfaces=[wrong]), folder)


def test_shapes_that_no_memory_holds_are_refused_before_they_are_computed(tmp_path, monkeypatch):
    """In a sentence with what they need, what there is, and what to choose instead; the basis without them fits."""
    write_model(box("hex8", (32, 32, 1), (32.0, 32.0, 1.0)), tmp_path / "block.inp")
    large = {**TOP, "shapes": {"kind": "every_node", "directions": "all"}}
    project = block(tmp_path, held=False, surfaces=[large])
    monkeypatch.setattr(EveryNode, "build", lambda *_: pytest.fail("shapes were computed"))
    monkeypatch.setenv(LIMIT, "0.28")
    with pytest.raises(MemoryNeedError) as caught:
        computed(project, tmp_path, BASIS)
    said = str(caught.value)
    assert "Up to 3267 contact shapes of body 'block' need 0.318 GB of memory; 0.28 GB of" in said
    assert "smaller surface, normal directions alone, or patches" in said and "--despite-errors" in said
    fewer = {**TOP, "shapes": {"kind": "patches", "radius": 8.0, "count": 5}}
    basis = computed(block(tmp_path, held=False, surfaces=[fewer]), tmp_path, BASIS)
    assert basis.groups[-1].name.endswith("top") and basis.modes.shape[1] == basis.groups[-1].stop


@pytest.mark.parametrize(("factor", "said"), [(0.5, True), (1.5, False)])
def test_shapes_are_not_to_lose_their_inertia_below_the_vibration_modes(case, folder, factor, said):
    held, _, body, _, _ = case
    project = block(folder, held=held)
    highest = body.frequencies[:5].max()
    motion = {
        "kind": "motion", "name": "drop", "system": "s", "duration": 1.0, "integrator": {
            "kind": "hht", "separate_modes": True, "separation_frequency": factor * highest,
        },
    }  # fmt: skip
    part = {"kind": "flexible", "name": "a", "body": "block"}
    for step in (edits.add_system({"name": "s", "parts": [part]}), edits.add_analysis(motion)):
        project = step(project)
    at = assembled_system(project.systems[0], {"block": body})
    found = [
        f for f in run_checks(CheckedProject(project, folder, assembled={"s": at})) if f.check == "separation"
    ]
    assert len(found) == said
    for one in found:
        assert f"vibration modes up to {highest:.3g} Hz" in one.sentence and one.entity == ("analyses", 0)
        mended = edits.set_value(one.remedy.path, one.remedy.value)(project)
        assert mended.analyses[0].integrator.separation_frequency > highest
    # Without shapes there is nothing to lose.
    bare = replace(body, groups=tuple((name.replace("contact", "some"), stop) for name, stop in body.groups))
    at = assembled_system(project.systems[0], {"block": bare})
    assert not any(
        f.check == "separation" for f in run_checks(CheckedProject(project, folder, assembled={"s": at}))
    )
