"""What every kind of contact shapes promises, against the unreduced body."""

import numpy as np
import pytest
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.params import build
from faying.progress import Silent
from faying.reduction.contact_shapes import SurfaceProblem, contact_shapes
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import reduction_methods
from support.boxes import box

KINDS = {
    "none": ({"kind": "none"}, 0),
    "normal": ({"kind": "every_node"}, 99),
    "all": ({"kind": "every_node", "directions": "all"}, 297),
    "patches": ({"kind": "patches", "radius": 6.0, "count": 20}, 20),
}


@pytest.fixture(scope="module", params=["free", "held"])
def problem(request):
    model = box("hex8_incompatible", (10, 8, 2), (30.0, 20.0, 10.0))
    skin = find_skin(model).surface
    whole = find_skin(model)
    top = part_of_surface(skin, whole.normals[:, 2] > 0.9)
    held = np.array([0, 24, 270]) if request.param == "held" else np.zeros(0, np.int64)
    interior = InteriorProblem(assemble(model, Silent()), model.nodes, held)
    assert interior.holds_body == (request.param == "held")
    return SurfaceProblem(interior, top, free=request.param == "free")


def shapes_of(problem, name):
    words = {key: value for key, value in KINDS[name][0].items() if key != "kind"}
    return build(contact_shapes[KINDS[name][0]["kind"]], words).build(problem, Silent())


@pytest.mark.parametrize("name", KINDS)
def test_shapes_extend_the_basis_with_unit_energy(problem, name):
    interior = problem.interior
    components = reduction_methods["craig_bampton"](vibration_modes=6).build(interior, Silent())
    shapes = shapes_of(problem, name)
    assert shapes.shape == (interior.n_dofs, KINDS[name][1])
    nothing = np.zeros((interior.n_dofs, 0))
    basis = extend_basis(interior, components, nothing, np.zeros(0), more=[("contact shapes of top", shapes)])
    first = components.modes.shape[1]
    added = basis.modes[:, first:]
    stiffness = interior.matrices.stiffness
    np.testing.assert_allclose(added.T @ (stiffness @ added), np.eye(added.shape[1]), atol=1e-9)
    np.testing.assert_allclose(
        components.modes.T @ (stiffness @ added), 0.0, atol=1e-6 * np.sqrt(stiffness.max())
    )
    assert np.abs(interior.rigid_modes.T @ (interior.matrices.mass @ added)).max(initial=0.0) < 1e-8
    # Forces on the surface: exact where a shape was made for them. What carries them is the inertia of the free body,
    # and the supports of the held one.
    rng = np.random.default_rng(1)
    forces = (
        rng.normal(size=3 * len(problem.places)) if name == "all" else rng.normal(size=len(problem.places))
    )
    rows = problem.rows if name == "all" else problem.normal_rows
    load = rows.T @ forces
    resultant, rigid = interior.rigid_modes.T @ load, interior.rigid_modes
    if problem.free:
        load = load - interior.matrices.mass @ (rigid @ resultant)
    else:
        load[interior.interface_dofs] -= np.linalg.lstsq(rigid[interior.interface_dofs].T, resultant)[0]
    exact = load @ interior.solve_free(load[:, None])[:, 0]
    modes = basis.modes
    work = load @ modes @ np.linalg.solve(modes.T @ (stiffness @ modes), modes.T @ load)
    if name in ("normal", "all"):
        assert work == pytest.approx(exact, rel=1e-7)
    else:
        assert work < exact * (1.0 - 1e-3)


def test_patches_hold_smooth_pressures_with_few_shapes(problem):
    interior, rows = problem.interior, problem.normal_rows
    pressure = np.exp(-(np.linalg.norm(problem.places - [17.0, 9.0, 10.0], axis=1) ** 2) / 18.0)
    force = (problem.areas * pressure)[:, None]
    answer = problem.responses(rows, force, Silent())[:, 0]
    stiffness = interior.matrices.stiffness
    errors = []
    for count in (10, 30, 60):
        shapes = build(contact_shapes["patches"], {"radius": 6.0, "count": count}).build(problem, Silent())
        np.testing.assert_allclose(shapes.T @ (stiffness @ shapes), np.eye(count), atol=1e-6)
        left = answer - shapes @ (shapes.T @ (stiffness @ answer))
        errors.append(np.sqrt(left @ (stiffness @ left) / (answer @ (stiffness @ answer))))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.02


def test_patches_smaller_than_facets_are_single_nodes(problem):
    n = len(problem.places)
    shapes = build(contact_shapes["patches"], {"radius": 0.1, "count": n}).build(problem, Silent())
    every = shapes_of(problem, "normal")
    # The same space.
    stiffness = problem.interior.matrices.stiffness
    inside = shapes @ (shapes.T @ (stiffness @ every))
    rest = every - inside
    assert sp.issparse(stiffness)
    energies = np.einsum("ij,ij->j", rest, stiffness @ rest) / np.einsum("ij,ij->j", every, stiffness @ every)
    assert energies.max() < 1e-9
