"""The friction bar without reduction: contact equilibria of two bolted sheets, from the deck to the deflection.

Quadratic tetrahedra, rigid couplings, two short beams. One factor of the bar that is held at its mounting serves all:
the compliance of the contact pairs, C = Gn K⁻¹ Gnᵀ, leaves an equation in the gaps alone,

    g = Gn K⁻¹ f + C (w p(g)),    p = stiffness · max(−g, 0),

which is solved by closing and opening pairs until none changes. The joint is plane (z = 0), so a slave node meets the
master facet that it lies on. Run it with a deck, ``python tests/references/friction_bar.py friction_bar_19k.inp``; it
takes some minutes and 6 GB.
"""

import sys
from pathlib import Path

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from scipy.special import roots_jacobi

YOUNG, POISSON, DENSITY, RADIUS, STIFFNESS = 210_000.0, 0.3, 7.85e-9, 3.0, 50_000.0
FACES = {
    "S1": (0, 1, 2, 4, 5, 6),
    "S2": (0, 3, 1, 7, 8, 4),
    "S3": (1, 3, 2, 8, 9, 5),
    "S4": (2, 3, 0, 9, 7, 6),
}


def read_deck(path):
    """Return nodes, tetrahedra, beams, node sets, surfaces as (element, face) and couplings as (reference, set)."""
    nodes, solids, beams, sets, surfaces, couplings = {}, {}, [], {}, {}, []
    keep = None
    for line in Path(path).read_text(encoding="ascii").splitlines():
        if line.startswith("**"):
            continue
        if line.startswith("*"):
            words = dict([*word.strip().split("="), ""][:2] for word in line[1:].split(","))
            name = line[1:].split(",")[0].strip()
            if name == "NODE":
                keep = nodes
            elif name == "ELEMENT":
                keep = beams if words["TYPE"].strip() == "B31" else solids
            elif name == "NSET":
                keep = sets.setdefault(words["NSET"].strip(), [])
            elif name == "SURFACE":
                keep = surfaces.setdefault(words["NAME"].strip(), {})
            else:
                keep = None
            if name == "COUPLING":
                couplings.append((int(words["REF NODE"]), "N_" + words["SURFACE"].strip()))
            continue
        parts = [part.strip() for part in line.split(",") if part.strip()]
        if keep is nodes:
            nodes[int(parts[0])] = [float(part) for part in parts[1:4]]
        elif keep is solids:
            solids[int(parts[0])] = [int(part) for part in parts[1:]]
        elif keep is beams:
            beams.append([int(part) for part in parts[1:]])
        elif isinstance(keep, list):
            keep += [int(part) for part in parts]
        elif isinstance(keep, dict):
            keep.setdefault(int(parts[0]), []).append(parts[1])
    return nodes, solids, beams, sets, surfaces, couplings


def tetrahedron_slopes(points, at):
    """Return determinants (n,) and slopes (n, 10, 3) of the shapes of n ten-node tetrahedra at (r, s, t)."""
    r, s, t = at
    u = 1 - r - s - t
    local = np.array([
        [1 - 4 * u] * 3, [4 * r - 1, 0, 0], [0, 4 * s - 1, 0], [0, 0, 4 * t - 1],
        [4 * (u - r), -4 * r, -4 * r], [4 * s, 4 * r, 0], [-4 * s, 4 * (u - s), -4 * s],
        [-4 * t, -4 * t, 4 * (u - t)], [4 * t, 0, 4 * r], [0, 4 * t, 4 * s],
    ])  # fmt: skip
    jacobian = np.einsum("ai,naj->nij", local, points)
    return np.linalg.det(jacobian), np.einsum("nij,aj->nai", np.linalg.inv(jacobian), local)


def solid_stiffness(points):
    """Return (n, 30, 30) stiffness of n tetrahedra, four Gauss points each."""
    lame, shear = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
    elastic = np.diag([2 * shear] * 3 + [shear] * 3)
    elastic[:3, :3] += lame
    a, b = (5 + 3 * np.sqrt(5)) / 20, (5 - np.sqrt(5)) / 20
    total = np.zeros((len(points), 30, 30))
    for at in ((b, b, b), (a, b, b), (b, a, b), (b, b, a)):
        determinant, slopes = tetrahedron_slopes(points, at)
        strain = np.zeros((len(points), 6, 30))
        for k in range(3):
            strain[:, k, k::3] = slopes[:, :, k]
        for row, (i, j) in enumerate(((0, 1), (1, 2), (0, 2)), start=3):
            strain[:, row, i::3], strain[:, row, j::3] = slopes[:, :, j], slopes[:, :, i]
        total += np.einsum("nki,kl,nlj->nij", strain, elastic, strain, optimize=True) * (
            determinant[:, None, None] / 24
        )
    return total


def solid_mass(points):
    """Return (n, 10, 10) consistent mass of n tetrahedra; Gauss points of a cube, folded up."""
    found = np.zeros((len(points), 10, 10))
    rules = [roots_jacobi(4, power, 0) for power in (0, 1, 2)]
    (x, wx), (y, wy), (z, wz) = [(0.5 * (p + 1), w / 2 ** (k + 1)) for k, (p, w) in enumerate(rules)]
    for i, j, k in np.ndindex(4, 4, 4):
        t = z[k]
        s = y[j] * (1 - t)
        r = x[i] * (1 - s - t)
        u = 1 - r - s - t
        corners = [c * (2 * c - 1) for c in (u, r, s, t)]
        shapes = np.array([*corners, 4 * u * r, 4 * r * s, 4 * s * u, 4 * u * t, 4 * r * t, 4 * s * t])
        determinant, _ = tetrahedron_slopes(points, (r, s, t))
        found += DENSITY * wx[i] * wy[j] * wz[k] * determinant[:, None, None] * np.outer(shapes, shapes)
    return found


def foot(corners, point, start):
    """Return how far inside a curved facet (6, 2) a point (2,) lies, and the six shapes there."""
    r, s = start
    for _ in range(20):
        u = 1 - r - s
        shapes = np.array(
            [u * (2 * u - 1), r * (2 * r - 1), s * (2 * s - 1), 4 * u * r, 4 * r * s, 4 * s * u]
        )
        slopes = np.array([
            [1 - 4 * u, 1 - 4 * u], [4 * r - 1, 0], [0, 4 * s - 1], [4 * (u - r), -4 * r], [4 * s, 4 * r],
            [-4 * s, 4 * (u - s)],
        ])  # fmt: skip
        change = np.linalg.solve(corners.T @ slopes, point - shapes @ corners)
        r, s = np.array([r, s]) + change
        if np.abs(change).max() < 1e-13 or np.abs([r, s]).max() > 10:
            break
    return min(r, s, 1 - r - s), shapes


def beam_stiffness(length):
    """Return (12, 12) of a round Timoshenko beam along z, (u, θ) of its ends.

    One Gauss point, and the bending flexibility that it misses added to that of shear: exact for loads at the ends. The
    shear factor is Cowper's (1966), 6 (1 + ν) / (7 + 6 ν).
    """
    area, inertia, shear = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4, YOUNG / (2 * (1 + POISSON))
    rows = np.zeros((6, 12))
    rows[0, [2, 8]] = -1 / length, 1 / length  # stretch
    rows[1, [0, 6]], rows[1, [4, 10]] = (-1 / length, 1 / length), (-0.5, -0.5)  # u' − θy
    rows[2, [1, 7]], rows[2, [3, 9]] = (-1 / length, 1 / length), (0.5, 0.5)  # v' + θx
    for row, (i, j) in enumerate(((3, 9), (4, 10), (5, 11)), start=3):
        rows[row, [i, j]] = -1 / length, 1 / length
    factor = 6 * (1 + POISSON) / (7 + 6 * POISSON)
    sheared = 1 / (1 / (factor * shear * area) + length**2 / (12 * YOUNG * inertia))
    moduli = [YOUNG * area, sheared, sheared, YOUNG * inertia, YOUNG * inertia]
    return length * rows.T @ np.diag([*moduli, 2 * shear * inertia]) @ rows


class Bar:
    """The bar held at its mounting: factor over its free dofs, pairs of its joint.

    Every node of a coupled face follows its reference node, u = t + θ × (x − x₀).
    """

    def __init__(self, path):
        nodes, solids, beams, sets, surfaces, couplings = read_deck(path)
        labels = np.array(sorted(nodes))
        row = {label: i for i, label in enumerate(labels.tolist())}
        self.points = points = np.array([nodes[label] for label in labels.tolist()])
        references = [reference for reference, _ in couplings]
        cells = np.array([[row[label] for label in cell] for cell in solids.values()])
        number = {label: i for i, label in enumerate(solids)}

        # Columns: three for each free node, six for each reference node.
        slaves = {row[label]: row[reference] for reference, name in couplings for label in sets[name]}
        column, n = {}, 0
        for i, label in enumerate(labels.tolist()):
            if i not in slaves:
                column[i] = n
                n += 6 if label in references else 3
        entries = []
        for i in range(len(labels)):
            if i not in slaves:
                entries += [(3 * i + k, column[i] + k, 1.0) for k in range(3)]
                continue
            master = slaves[i]
            entries += [(3 * i + k, column[master] + k, 1.0) for k in range(3)]
            arm = points[i] - points[master]
            for axis, unit in enumerate(np.eye(3)):
                entries += [
                    (3 * i + k, column[master] + 3 + axis, v) for k, v in enumerate(np.cross(unit, arm)) if v
                ]
        rows, columns, values = map(np.array, zip(*entries, strict=True))
        self.transformation = sp.csr_matrix((values, (rows, columns)), (3 * len(labels), n))

        dofs = (3 * cells[:, :, None] + np.arange(3)).reshape(len(cells), 30)
        blocks = solid_stiffness(points[cells])
        full = sp.csr_matrix(
            (blocks.ravel(), (np.repeat(dofs, 30, axis=1).ravel(), np.tile(dofs, 30).ravel())),
            (3 * len(labels),) * 2,
        )
        stiffness = (self.transformation.T @ full @ self.transformation).tolil()
        for first, second in beams:
            at = np.concatenate([column[row[label]] + np.arange(6) for label in (first, second)])
            stiffness[np.ix_(at, at)] += beam_stiffness(
                np.linalg.norm(points[row[second]] - points[row[first]])
            )
        held = column[row[sets["REF_MOUNT"][0]]] + np.arange(6)
        self.free = np.setdiff1d(np.arange(n), held)
        self.load = column[row[sets["REF_LOAD"][0]]]
        self.n = n
        self.stiffness, self.cells = stiffness.tocsc(), cells
        held_stiffness = self.stiffness[self.free][:, self.free]
        self.factor = sla.splu(
            held_stiffness, "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
        )

        def facets(name):
            return np.array([
                [cells[number[element]][k] for k in FACES[face]]
                for element, faces in surfaces[name].items() for face in faces
            ])  # fmt: skip

        self.pair(facets("JOINT_MASTER"), facets("JOINT_SLAVE"))

    def pair(self, masters, slaves):
        """Pair the nodes of the slave facets with the master facets that they lie on; areas by quarters of facets."""
        flat = self.points[:, :2]
        areas = np.zeros(len(flat))
        for facet in slaves:
            (ax, ay), (bx, by) = flat[facet[1]] - flat[facet[0]], flat[facet[2]] - flat[facet[0]]
            areas[facet] += 0.5 * abs(ax * by - ay * bx) * np.array([1, 1, 1, 3, 3, 3]) / 12
        origin = flat[masters[:, 0]]
        edges = np.stack([flat[masters[:, 1]] - origin, flat[masters[:, 2]] - origin], axis=2)
        inverse = np.linalg.inv(edges)
        entries, self.weights = [], []
        for node in np.unique(slaves):
            straight = np.einsum("nij,nj->ni", inverse, flat[node] - origin)
            inside = np.minimum(straight.min(axis=1), 1 - straight.sum(axis=1))
            # Facets at the rim of a hole have a curved edge: the nearest few are searched with their true shape.
            found = [(foot(flat[masters[k]], flat[node], straight[k]), k) for k in np.argsort(inside)[-6:]]
            (inner, shapes), best = max(found, key=lambda item: item[0][0])
            if inner < -1e-6:
                continue
            pair = len(self.weights)
            # The slave sheet lies above: the gap opens when it moves up.
            entries.append((pair, 3 * node + 2, 1.0))
            entries += [(pair, 3 * k + 2, -v) for k, v in zip(masters[best], shapes, strict=True)]
            self.weights.append(areas[node])
        self.weights = np.array(self.weights)
        rows, columns, values = map(np.array, zip(*entries, strict=True))
        gaps = sp.csr_matrix((values, (rows, columns)), (len(self.weights), self.transformation.shape[0]))
        self.gaps = (gaps @ self.transformation).tocsr()[:, self.free].tocsr()

    def free_frequencies(self, count):
        """Return (6 + count,) natural frequencies of the free bar without contact in Hz, mass of its solids."""
        blocks, cells = solid_mass(self.points[self.cells]), self.cells
        n = len(self.points)
        scalar = sp.csr_matrix(
            (blocks.ravel(), (np.repeat(cells, 10, axis=1).ravel(), np.tile(cells, 10).ravel())), (n, n)
        )
        full = sp.kron(scalar, sp.eye(3), format="csr")
        mass = (self.transformation.T @ full @ self.transformation).tocsc()
        shift = -((2 * np.pi * 50.0) ** 2)
        squares = sla.eigsh(self.stiffness, 6 + count, mass, sigma=shift, return_eigenvectors=False)
        return np.sqrt(np.maximum(np.sort(squares), 0.0)) / (2 * np.pi), float(scalar.sum())

    def compliance(self):
        """Return (n_pairs, n_pairs) C; some thousand solutions with the factor."""
        found = np.empty((len(self.weights),) * 2)
        for start in range(0, len(found), 64):
            part = slice(start, min(start + 64, len(found)))
            found[:, part] = self.gaps @ self.factor.solve(self.gaps[part].T.toarray())
        return found

    def equilibrium(self, compliance, loads):
        """Return motion (6,) of the loaded reference node and gaps (n_pairs,) under a force and moment (6,)."""
        force = np.zeros(self.n)
        force[self.load : self.load + 6] = loads
        alone = self.factor.solve(force[self.free])
        without = self.gaps @ alone
        springs = STIFFNESS * self.weights
        closed, gaps = without < 0, without
        for _ in range(200):
            # (D⁻¹ + C) λ = −Gn K⁻¹ f over the closed pairs, and the gaps that follow.
            inner = compliance[np.ix_(closed, closed)] + np.diag(1 / springs[closed])
            pressing = la.solve(inner, -without[closed], assume_a="pos")
            gaps = without + compliance[:, closed] @ pressing
            now = closed.copy()
            now[closed] = pressing > 0
            now[~closed] = gaps[~closed] < 0
            if (now == closed).all():
                break
            closed = now
        else:
            raise RuntimeError("pairs go on opening and closing")
        force_of_pairs = np.zeros(len(springs))
        force_of_pairs[closed] = pressing
        x = np.zeros(self.n)
        x[self.free] = alone + self.factor.solve(self.gaps.T @ force_of_pairs)
        return x[self.load : self.load + 6], gaps, force_of_pairs.sum()


if __name__ == "__main__":
    bar = Bar(sys.argv[1])
    print(f"{len(bar.weights)} pairs, {bar.weights.sum():.1f} mm²", flush=True)
    frequencies, mass = bar.free_frequencies(4)
    print(f"mass {mass:.6e} t, free elastic frequencies {frequencies[6:].round(2).tolist()} Hz", flush=True)
    compliance = bar.compliance()
    for text, loads in (
        ("+100 N along z", (0, 0, 100, 0, 0, 0)), ("-100 N along z", (0, 0, -100, 0, 0, 0)),
        ("+20 Nm about x", (0, 0, 0, 20_000, 0, 0)), ("-20 Nm about x", (0, 0, 0, -20_000, 0, 0)),
    ):  # fmt: skip
        motion, gaps, pressed = bar.equilibrium(compliance, loads)
        rms = np.sqrt(np.mean(gaps**2))
        print(f"{text}: uz {motion[2]:.6f} mm, rx {motion[3]:.8f} rad, |g| {np.linalg.norm(gaps):.6f} mm, "
              f"rms {rms:.6f} mm, pressed by {pressed:.3f} N", flush=True)  # fmt: skip
