"""Every kernel that there is: machine code, the loops as they stand, and the twin in NumPy say the same.

A scenario of random numbers is computed with all kernels as they stand; every call of every kernel, also by others, is
answered by the machine code and by the twin as well. Nobody keeps a list: a kernel that is never called is told.
"""

import copy
import importlib
import json
import pkgutil
import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import faying
from faying.analyses import SystemModel, analyses
from faying.compiled import Kernel, all_kernels, compiled
from faying.fem.assembly import assemble
from faying.fem.block_pattern import BlockPattern
from faying.fem.facing_areas import facing_areas
from faying.fem.skin import find_skin
from faying.fem.surface import FacetBlock, Surface, part_of_surface
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.cycle import over_cycle
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import DenseJointRows, JointForce
from faying.multibody.contacts.edge_kernels import find_crossings
from faying.multibody.contacts.edges import SharpEdges
from faying.multibody.contacts.nodal_kernels import nodal_forces
from faying.multibody.contacts.rigid_shapes import RigidCylinder, RigidPlane, RigidSphere
from faying.multibody.contacts.search import closest_points, gaps_at, near_facets
from faying.multibody.contacts.surface import surface_of_mesh, surface_of_triangles
from faying.multibody.part_shapes import brick
from faying.multibody.system import MultibodySystem
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from faying.solvers.compliances import add_columns
from faying.solvers.integrators import consistent_start, integrators
from faying.spatial.rotations import rotation_matrix
from support.boxes import box
from support.systems import BAR, flexible, jointed_plates_model, ready, system_of

AGREE = 1e-11  # of the largest number of an answer
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="without numba there is no machine code")


def import_the_core() -> None:
    for module in pkgutil.walk_packages(faying.__path__, "faying."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


class Shadow:
    """Answers every call of a kernel in all ways; raises where they differ."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def call(self, kernel: Kernel, *args):
        self.calls[kernel.name] += 1
        copies = [copy.deepcopy(args) for _ in range(2)]
        found = kernel.source(*args)  # the kernels that it calls come here, too
        for run, own in zip((kernel.machine, kernel.plain), copies, strict=True):
            assert run is not None
            if run is not kernel.source:
                agree(run(*own), found, kernel.name)
                agree(own, args, f"{kernel.name}, what it writes")
        return found


def agree(one, other, name: str) -> None:
    if isinstance(other, tuple):
        assert len(one) == len(other), name
        for a, b in zip(one, other, strict=True):
            agree(a, b, name)
    elif other is not None:
        assert np.shape(one) == np.shape(other), name
        scale = np.abs(other).max(initial=0.0) if isinstance(other, np.ndarray) else abs(other)
        np.testing.assert_allclose(one, other, rtol=0.0, atol=AGREE * scale, err_msg=name)
    else:
        assert one is None, name


def assembled_element() -> None:
    """Stiffness and mass of few elements, with and without dofs that are condensed."""
    for kind in ("hex8_incompatible", "tet10"):
        assemble(box(kind, (1, 1, 1), (4.0, 3.0, 2.0), distortion=0.2), Silent())
    random = np.random.default_rng(3)
    points = np.array([[0, 3, 1], [4, 1, 3]])
    pattern = BlockPattern.of_elements([points], 6)
    pattern.add_scalars(np.zeros(pattern.n_pairs), points, random.normal(size=(2, 3, 3)))


def moving_system(random: np.random.Generator) -> tuple[MultibodySystem, np.ndarray]:
    """Jointed plates and bars, held in all ways, at random places that need not meet the constraints."""
    kinds = ("revolute", "fixed", "distance", "universal", "cylindrical", "prescribed_angle")
    ends = ("plates.TIP", "plates.HOLD", "ground.wall")
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}], gravity=(1.0, 2.0, -9.81),
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}, {**BAR, "name": "bar"}],
        constraints=[{"kind": kind, "name": kind, "first": ends[i % 3], "second": "bar.left"}
                     for i, kind in enumerate(kinds)],
        forces=[{"kind": "bushing", "name": "bushing", "first": "bar.right", "second": "plates.TIP",
                 "stiffness": (1.0, 2.0, 3.0), "damping": (1.0, 2.0, 3.0)}],
    )  # fmt: skip
    system = spec.build({"plates": flexible(jointed_plates_model())})
    q, _ = spec.start(system)
    return system, q + 0.05 * random.normal(size=system.n)


def closest_points_on_a_facet(random: np.random.Generator) -> None:
    """Of points over a curved facet alone and beside it: none is equally near to two."""
    model = box("hex20", (1, 1, 1), (4.0, 4.0, 4.0))
    skin = find_skin(model).surface
    whole = surface_of_mesh(skin, model.nodes)
    top = part_of_surface(skin, whole.facets.normals[:, 2] > 0.9)
    master = surface_of_mesh(top, model.nodes + random.uniform(-0.2, 0.2, model.nodes.shape))
    places = np.array([[1.1, 2.3, 4.7], [2.9, 1.7, 3.2], [5.1, 2.2, 4.4], [1.8, -0.9, 4.1]])
    still = np.zeros(0)
    closest = closest_points(master, master.places, places, near_facets(master, still, places, 3.0, 1.0))
    assert (closest.edges >= 0).tolist() == [False, False, True, True]
    gaps = gaps_at(master, master.places, places, closest, 3.0)
    assert len(gaps.slaves) == 2  # the others are beside the surface
    nodal_forces(random.normal(size=(2, 2, 3)), gaps.nodes, gaps.shares, len(master.places))
    around = surface_of_mesh(skin, model.nodes).nodal_facets
    facing_areas(*around, random.integers(len(around.starts) - 1, size=9), random.normal(size=(9, 3)))
    add_columns(random.normal(size=(5, 7)), np.array([3, 0]), random.normal(size=2), random.normal(size=7))


def end_of_a_ridge() -> None:
    """Points over the end of the ridge of a roof, and a little and far beyond."""
    nodes = np.array([[0, 0, 1], [1, 0, 2], [1, 2, 2], [0, 2, 1], [2, 0, 1], [2, 2, 1]], float)
    sides = np.array([[0, 1, 2, 3], [1, 4, 5, 2]])
    roof = surface_of_mesh(Surface("roof", (FacetBlock("quad4", sides, *np.zeros((2, 2), np.int64)),)), nodes)
    places = np.array([[1.02, 0.0, 2.4], [0.99, 2.01, 2.1], [1.0, 2.03, 2.2]])
    near = near_facets(roof, np.zeros(0), places, 1.0, 0.0)
    gaps = gaps_at(roof, nodes, places, closest_points(roof, nodes, places, near), 1.0)
    assert gaps.slaves.tolist() == [0, 1]


def period_of_a_joint(random: np.random.Generator) -> None:
    """Pairs that stick, slip, open and close in a period."""
    basis, n, r = FourierBasis(2, 16), 9, 3
    rows = DenseJointRows(
        random.normal(size=(n, r)), random.normal(size=(n, 2, r)), np.ones(n), random.normal(0.0, 4e-4, n)
    )
    law = Coulomb(sticking_stiffness=9000.0, sliding_stiffness=400.0)
    joint = JointForce(rows, LinearPenalty(), law)
    motion = 2e-4 * random.normal(size=(basis.size, r))
    found = over_cycle(joint, motion, basis, 1.0, joint.resting_history(np.zeros(r)), jacobian=True)
    assert found.slipping and found.opening


def scenario() -> None:
    period_of_a_joint(np.random.default_rng(9))
    assembled_element()
    closest_points_on_a_facet(np.random.default_rng(5))
    end_of_a_ridge()
    random = np.random.default_rng(7)
    system, q = moving_system(random)
    v, a = random.normal(size=(2, system.n))
    history = system.accepted(0.1, q, system.initial_history())
    system.forces(0.1, q, v, history, jacobian=True)
    system.constraints(0.1, q, history)
    system.inertia_and_constraint_jacobian(0.1, q, a, random.normal(size=system.n_constraints), history)
    system.contact(q, system.resting_history(q, history), 1e-3, jacobian=True)
    system.reactions(0.1, q, random.normal(size=system.n_constraints), history)
    system.energies(q, v, history)
    of_rigid_parts(random)
    contact_of_rigid_parts(random)
    whole_steps()


def contact_of_rigid_parts(random: np.random.Generator) -> None:
    """Points within and beyond the reach of shapes by formula, balls that press on each other, edges that cross."""
    places = random.normal(size=(9, 3))
    for shape in (
        RigidPlane(np.zeros(3), np.array([0.6, 0.0, 0.8])), RigidSphere(np.zeros(3), 0.8),
        RigidCylinder(np.zeros(3), np.array([0.0, 0.8, 0.6]), 0.7, True),
    ):  # fmt: skip
        assert 0 < len(shape.gaps(places, 0.5).slaves) < len(places)
    balls = [
        {"kind": "rigid_shape", "name": name, "mass": 1.0, "shape": {"kind": "sphere", "radius": 1.0}, "placement":
         {"position": (x, 0.2, 0.1)}}
        for name, x in (("a", 0.0), ("b", 1.9))
    ]  # fmt: skip
    spec = system_of(parts=balls, contacts=[{"name": "hit", "master": "a.shape", "slave": "b.shape"}])
    system = spec.build({})
    q = spec.start(system)[0]
    assert system.contact(q, system.initial_history(), 1e-3, jacobian=False).force.any()
    solid = brick(2.0, 3.0, 4.0)
    edges = SharpEdges.of(surface_of_mesh(*surface_of_triangles("box", solid.points, solid.triangles)))
    turned = edges.places @ rotation_matrix(random.normal(size=4)) + [0.0, 0.0, 3.5]
    n = len(edges) ** 2
    assert find_crossings(
        turned, np.zeros_like(edges.inward), edges.places, edges.inward, edges.depths, edges.depths, 3.0, np.zeros(n),
        np.zeros(n, np.int64), np.zeros((n, 6)),
    )  # fmt: skip


def of_rigid_parts(random: np.random.Generator) -> None:
    """The equations of a step of two bars, without matrices."""
    bars = [
        {**BAR, "name": name, "placement": {"position": (x, 0, 0)}} for name, x in (("a", 0.5), ("b", 1.5))
    ]
    hinges = [
        {"kind": "revolute", "name": f"{one} {other}", "first": one, "second": other}
        for one, other in (("ground.origin", "a.left"), ("a.right", "b.left"))
    ]
    system = system_of(parts=bars, constraints=hinges, gravity=(1.0, 2.0, -9.81)).build({})
    q, v, a = random.normal(size=(3, system.n))
    history, multipliers = system.initial_history(), random.normal(size=system.n_constraints)
    system.residual(0.1, q, v, a, multipliers, history)
    system.tangent(0.1, q, v, a, multipliers, history, (1.0, 0.5, 0.25))


def whole_steps() -> None:
    """Steps of a hinged bar and of plates that swing with a bar, with and without an estimate of the error."""
    bar = {**BAR, "name": "bar"}
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "bar.left"}
    plates = {"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}
    ball = {"kind": "spherical", "name": "ball", "first": "plates.TIP", "second": "bar.right"}
    model = replace(jointed_plates_model(), joints=())
    for parts, constraints in (([bar], [hinge]), ([plates, bar], [hinge, ball])):
        at = ready(
            system_of(parts=parts, constraints=constraints, gravity=(0.0, -9.81, 0.0)), plates=flexible(model)
        )
        start = consistent_start(at.system, 0.0, at.q, at.v, at.history)
        scheme = build(
            integrators["hht"], {"tolerance": 1e-3, "largest_step": 2e-6, "fixed_step": len(parts) == 2}
        )
        scheme.integrate(at.system, start, 1e-5, lambda before, after: None, Silent())


@needs_numba
def test_every_kernel_says_the_same_in_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    import_the_core()
    shadow = Shadow()
    monkeypatch.setattr(Kernel, "__call__", lambda kernel, *args: shadow.call(kernel, *args))
    scenario()
    assert len(all_kernels) > 30
    missing = sorted(set(all_kernels) - set(shadow.calls))
    assert not missing, f"the scenario calls none of {missing}"


@needs_numba
def test_a_twin_that_says_something_else_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    own = all_kernels["faying.joints.kernels.slips"]
    rows, pairs, q = np.ones((3, 2, 4)), np.array([0, 2]), np.arange(4.0)
    Shadow().call(own, rows, pairs, q)
    right = own.plain
    monkeypatch.setattr(own, "plain", lambda *args: right(*args) * (1.0 + 1e-9))
    with pytest.raises(AssertionError, match="slips"):
        Shadow().call(own, rows, pairs, q)


def test_machine_code_is_found_by_all_that_it_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba would look at a kernel's own file alone; the digest is of the constants and kernels that it uses, too."""
    monkeypatch.setattr("faying.compiled.all_kernels", {})
    words = {"__name__": "elsewhere", "FACTOR": 2.0}

    def digest(inner: str) -> str:
        exec(f"def inner(x):\n    {inner}\n", words)
        words["inner"] = compiled(words["inner"])
        exec("def outer(x):\n    return FACTOR * inner(x)\n", words)
        return compiled(words["outer"])._digest()

    first = digest("return x + 1.0")
    assert digest("return x + 1.0  # a comment is of no account") == first
    assert digest("return x - 1.0") != first
    words["FACTOR"] = 3.0
    assert digest("return x + 1.0") != first


def last_frames() -> list[list[float]]:
    """Return the last coordinates of a transient and of a motion, both with contact and friction."""
    model, found = jointed_plates_model(), []
    integrator = {"kind": "hht", "alpha": -0.05, "tolerance": 1e-5, "first_step": 1e-6, "largest_step": 3e-6}
    push = {"force": (0.0, 0.0, -20.0), "time_history": {"kind": "haversine", "rise_time": 5e-6}}
    words = {"duration": 2e-5, "frames": 2, "integrator": integrator}
    loads = [{"interface": "TIP", **push}]
    shake = build(
        analyses["transient"], {"name": "s", "body": "plates", "support": "HOLD", "loads": loads, **words}
    )
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}],
        constraints=[{"kind": "revolute", "name": "hinge", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", **push}],
    )
    move = build(analyses["motion"], {"name": "m", "system": "system", **words})
    with TemporaryDirectory() as folder:
        for name, analysis, of, where in (
            ("shake", shake, model, "coordinates"),
            ("move", move, SystemModel(spec, {"plates": model}), "parts/plates/coordinates"),
        ):
            file = Path(folder) / f"{name}.h5"
            analysis.run(of, file, Silent())
            with closing(Results(file)) as results:
                found.append(np.asarray(results.root[where])[-1].tolist())
    return found


def test_the_program_computes_the_same_without_numba() -> None:
    """Assembly, reduction, contact, friction and large motion in a process in which numba cannot be imported."""
    lines = (
        "import sys, json; sys.modules['numba'] = None; sys.path[:0] = json.loads(sys.argv[1])\n"
        "from core.test_kernels import last_frames\n"
        "from faying.compiled import all_kernels\n"
        "assert all_kernels and all(kernel.machine is None for kernel in all_kernels.values())\n"
        "print(json.dumps(last_frames()))"
    )
    paths = json.dumps([str(Path(__file__).parents[1])])
    answer = subprocess.run([sys.executable, "-c", lines, paths], capture_output=True, text=True, check=True)
    for plain, machine in zip(json.loads(answer.stdout), last_frames(), strict=True):
        largest = np.abs(machine).max()
        assert largest > 0.0
        np.testing.assert_allclose(plain, machine, rtol=0.0, atol=1e-7 * largest)
