"""A flexible bar in a plane: pendulum, spin-up, slider-crank. Bricks, component modes and floating frame once more.

The bar is a box of eight-node bricks (2 × 2 × 2 Gauss points, consistent mass) with rigid end faces. Its frame is
clamped to the left face; in it the bar deforms by six unit motions of the right face and vibration modes of the bar
with both faces held (Craig and Bampton 1968). The frame's origin moves along a given way and turns by an angle about
z. With y = x + Φ q in the frame, the acceleration of a material point is

    a = P'' + A (ẑ × y ψ'' + Φ q'' + 2 ψ' ẑ × Φ q' − ψ'² y_xy),

and its work with the virtual motions ẑ × y and Φ gives the equations, all integrals by the consistent mass matrix.
"""

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from scipy.integrate import solve_ivp

YOUNG, POISSON, DENSITY, G = 210e9, 0.3, 7850.0, 9.81
TURN = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])  # ẑ ×
PLANE = np.diag([1.0, 1.0, 0.0])


def rotation(angle: float) -> np.ndarray:
    """Return the rotation about z."""
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])


def brick_mesh(counts, lower, upper):
    """Return nodes and eight-node connectivity of a box."""
    axes = [np.linspace(a, b, n + 1) for a, b, n in zip(lower, upper, counts, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(nodes)).reshape([n + 1 for n in counts])
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    nx, ny, nz = counts
    cells = np.stack([number[i : i + nx, j : j + ny, k : k + nz].ravel() for i, j, k in corners], 1)
    return nodes, cells


def brick_matrices(size):
    """Return stiffness (24, 24) and scalar mass (8, 8) of one brick with edges of the given lengths."""
    signs = np.array(
        [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
    )
    lame, shear = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
    elastic = np.diag([2 * shear] * 3 + [shear] * 3)
    elastic[:3, :3] += lame
    stiffness, mass = np.zeros((24, 24)), np.zeros((8, 8))
    volume = np.prod(size) / 8
    for point in signs / np.sqrt(3.0):
        factors = 0.5 * (1 + signs * point)
        shapes = factors.prod(axis=1)
        slopes = np.empty((8, 3))
        for k in range(3):
            others = np.delete(factors, k, axis=1).prod(axis=1)
            slopes[:, k] = 0.5 * signs[:, k] * others * 2.0 / size[k]
        strain = np.zeros((6, 24))
        for k in range(3):
            strain[k, k::3] = slopes[:, k]
        for row, (i, j) in enumerate(((0, 1), (1, 2), (0, 2)), start=3):
            strain[row, i::3], strain[row, j::3] = slopes[:, j], slopes[:, i]
        stiffness += strain.T @ elastic @ strain * volume
        mass += DENSITY * np.outer(shapes, shapes) * volume
    return stiffness, mass


class Bar:
    """The reduced bar: integrals of its trial vectors in its frame."""

    def __init__(self, counts, lower, upper, vibration_modes):
        nodes, cells = brick_mesh(counts, lower, upper)
        element = brick_matrices((np.array(upper) - lower) / counts)
        dofs = (3 * cells[:, :, None] + np.arange(3)).reshape(len(cells), 24)
        n = len(nodes)

        def assembled(matrix, numbers, size):
            rows = np.repeat(numbers, numbers.shape[1], axis=1).ravel()
            columns = np.tile(numbers, numbers.shape[1]).ravel()
            return sp.csr_matrix((np.tile(matrix.ravel(), len(numbers)), (rows, columns)), (size, size))

        stiffness = assembled(element[0], dofs, 3 * n)
        scalar_mass = assembled(element[1], cells, n)
        mass = sp.kron(scalar_mass, sp.eye(3), format="csr")

        # Static shapes of the six motions of the right face, and vibration modes with both faces held.
        at = nodes[:, 0]
        left, right = np.flatnonzero(np.isclose(at, lower[0])), np.flatnonzero(np.isclose(at, upper[0]))
        inner = np.setdiff1d(np.arange(n), np.concatenate([left, right]))
        inner_dofs, right_dofs = ((3 * rows[:, None] + np.arange(3)).ravel() for rows in (inner, right))
        self.end = np.array([upper[0], 0.0, 0.0])
        arms = nodes[right] - self.end
        face = np.zeros((len(right), 3, 6))
        face[:, range(3), range(3)] = 1.0
        for k, axis in enumerate(np.eye(3)):
            face[:, :, 3 + k] = np.cross(axis, arms)
        shapes = np.zeros((3 * n, 6 + vibration_modes))
        shapes[right_dofs, :6] = face.reshape(-1, 6)
        held = stiffness[inner_dofs][:, inner_dofs].tocsc()
        shapes[inner_dofs, :6] = sla.splu(held).solve(-(stiffness[inner_dofs] @ shapes[:, :6]))
        squares, modes = sla.eigsh(held, vibration_modes, mass[inner_dofs][:, inner_dofs].tocsc(), sigma=0.0)
        order = np.argsort(squares)
        shapes[inner_dofs, 6:] = modes[:, order]
        self.frequencies = np.sqrt(squares[order]) / (2 * np.pi)

        turned = (shapes.reshape(n, 3, -1).transpose(0, 2, 1) @ TURN.T).transpose(0, 2, 1).reshape(3 * n, -1)
        turned_nodes = (nodes @ TURN.T).ravel()
        ones = np.tile(np.eye(3), (n, 1))
        self.nodes, self.shapes, self.n = nodes, shapes, shapes.shape[1]
        self.stiffness, self.mass = shapes.T @ (stiffness @ shapes), shapes.T @ (mass @ shapes)
        self.total = float(scalar_mass.sum())
        self.first = ones.T @ (mass @ nodes.ravel())  # ∫ x dm
        self.sums = ones.T @ (mass @ shapes)  # ∫ Φ dm
        self.spin = float(turned_nodes @ (mass @ turned_nodes))
        self.spin_change = turned.T @ (mass @ turned_nodes)
        self.spin_curvature = turned.T @ (mass @ turned)
        self.coupling = shapes.T @ (mass @ turned_nodes)  # ∫ Φᵀ ẑ × x dm
        self.gyroscopic = turned.T @ (mass @ shapes)  # ∫ (ẑ × Φ)ᵀ Φ dm

    def equations(self, q, dq, speed, acceleration_of_frame):
        """Return mass matrix and forces of inertia over (ψ, q); the acceleration is P'' along the frame's axes."""
        matrix = np.empty((self.n + 1, self.n + 1))
        matrix[0, 0] = self.spin + 2 * self.spin_change @ q + q @ self.spin_curvature @ q
        matrix[0, 1:] = matrix[1:, 0] = self.coupling + self.gyroscopic.T @ q
        matrix[1:, 1:] = self.mass
        forces = np.empty(self.n + 1)
        moment = self.first + self.sums @ q
        forces[0] = (
            -acceleration_of_frame @ TURN @ moment
            - 2 * speed * (self.spin_change + self.spin_curvature @ q) @ dq
        )
        forces[1:] = (
            -self.sums.T @ acceleration_of_frame
            - 2 * speed * self.gyroscopic.T @ dq
            + speed**2 * (self.spin_change + self.spin_curvature @ q)
        )
        return matrix, forces

    def momentum_rate(self, q, dq, ddq, speed, turning, acceleration_of_frame):
        """Return (3,) the rate of the linear momentum along the frame's axes."""
        moment = self.first + self.sums @ q
        return (
            self.total * acceleration_of_frame
            + TURN @ moment * turning
            + self.sums @ ddq
            + 2 * speed * TURN @ (self.sums @ dq)
            - speed**2 * PLANE @ moment
        )


def pendulum_bar() -> Bar:
    """Return the slender bar of 1 m by 10 mm by 20 mm; its thin bricks lock in bending, in both programs alike."""
    return Bar((100, 2, 2), (0.0, -0.005, -0.01), (1.0, 0.005, 0.01), 10)


def pendulum(bar: Bar, times, damping=2e-5):
    """Return (n,) angles and (n,) deflections of the tip of a bar that falls from the horizontal at rest."""

    def rates(_, state):
        angle, q, speed, dq = state[0], state[1 : 1 + bar.n], state[1 + bar.n], state[2 + bar.n :]
        # Weight acts as the frame's acceleration does, upwards.
        up = rotation(angle).T @ [0.0, G, 0.0]
        matrix, forces = bar.equations(q, dq, speed, up)
        forces[1:] -= bar.stiffness @ (q + damping * dq)
        return np.concatenate([state[1 + bar.n :], la.solve(matrix, forces, assume_a="pos")])

    start = np.zeros(2 * (bar.n + 1))
    found = solve_ivp(rates, (0.0, max(times)), start, "Radau", times, rtol=1e-9, atol=1e-12)
    return found.y[0], found.y[2]


def spin_up(bar: Bar, speed=120.0, rise=0.5, damping=2e-5) -> float:
    """Return the smallest deflection of the tip while the left face is brought to a speed by a haversine.

    Of a beam as stiff as the bar, which the centrifugal tension ½ ρA Ω² (L² − x²) stiffens, to first order in the
    deflection (Kane, Ryan and Banerjee 1987); five assumed modes x² to x⁶.
    """
    lowest = np.sqrt(la.eigh(bar.stiffness, bar.mass, eigvals_only=True, subset_by_index=(0, 0))[0])
    x, weights = np.polynomial.legendre.leggauss(20)
    x, weights = 0.5 * (x[:, None] + 1.0), 0.5 * weights[:, None]
    k = np.arange(2, 7)
    shapes, slopes, bends = x**k, k * x ** (k - 1), k * (k - 1) * x ** (k - 2)
    mass, arm = shapes.T @ (weights * shapes), shapes.T @ (weights * x)[:, 0]
    stiffness = (lowest / 3.516015) ** 2 * bends.T @ (weights * bends)
    tension = 0.5 * slopes.T @ (weights * (1.0 - x**2) * slopes)

    def rates(time, state):
        q, dq = state[:5], state[5:]
        now = 0.5 * speed * (1 - np.cos(np.pi * time / rise))
        turning = 0.5 * speed * np.pi / rise * np.sin(np.pi * time / rise)
        forces = turning * arm + (stiffness + now**2 * (tension - mass)) @ q + damping * stiffness @ dq
        return np.concatenate([dq, -la.solve(mass, forces, assume_a="pos")])

    found = solve_ivp(
        rates, (0.0, rise), np.zeros(10), "Radau", np.linspace(0, rise, 501), rtol=1e-4, atol=1e-6
    )
    return float(found.y[:5].sum(axis=0).min())


def crank_rod() -> Bar:
    """Return the rod of 150 mm by 25 mm by 35 mm."""
    return Bar((30, 4, 4), (0.0, -0.0125, -0.0175), (0.15, 0.0125, 0.0175), 20)


def slider_crank(rod: Bar, end=0.3, radius=0.0375, piston=0.71, rise=0.25):
    """Return largest deflection of the rod's middle from its chord, way of the piston, force at the crank pin along x.

    The crank turns from the outer dead centre, without gravity and damping; the constraint on the small end is met in
    its second derivative, with a little of itself and its first added (Baumgarte 1972).
    """
    top = 2 * np.pi * 1000.0 / 60.0
    reach = np.zeros((3, rod.n))
    reach[:, :3] = np.eye(3)  # motion of the small end
    stiff = 500.0

    def crank(time):
        ratio = min(time / rise, 1.0)
        angle = 0.5 * top * rise * (ratio - np.sin(np.pi * ratio) / np.pi) + top * max(time - rise, 0.0)
        speed = 0.5 * top * (1 - np.cos(np.pi * ratio))
        turning = 0.5 * top * np.pi / rise * np.sin(np.pi * ratio) if ratio < 1.0 else 0.0
        way = radius * np.array([np.cos(angle), np.sin(angle), 0.0])
        return way, speed * TURN @ way, turning * TURN @ way - speed**2 * way

    def solve(time, state):
        angle, q, speed, dq = state[0], state[1 : 1 + rod.n], state[1 + rod.n], state[2 + rod.n :]
        way, pace, push = crank(time)
        frame = rotation(angle)
        matrix, forces = rod.equations(q, dq, speed, frame.T @ push)
        forces[1:] -= rod.stiffness @ q
        # The small end: its motion is jacobian @ (ψ'', q'') + rest.
        arm = rod.end + reach @ q
        jacobian = np.column_stack([frame @ TURN @ arm, frame @ reach])
        rest = push + frame @ (2 * speed * TURN @ (reach @ dq) - speed**2 * PLANE @ arm)
        matrix = matrix + piston * np.outer(jacobian[0], jacobian[0])
        forces = forces - piston * jacobian[0] * rest[0]
        off = (way + frame @ arm)[1]
        off_rate = pace[1] + jacobian[1] @ np.concatenate([[speed], dq])
        system = np.block([[matrix, jacobian[1][:, None]], [jacobian[1][None], np.zeros((1, 1))]])
        right = np.concatenate([forces, [-rest[1] - 2 * stiff * off_rate - stiff**2 * off]])
        found = la.solve(system, right, assume_a="sym")[:-1]
        return found, way, arm, frame, push, jacobian, rest

    def rates(time, state):
        return np.concatenate([state[1 + rod.n :], solve(time, state)[0]])

    times = np.linspace(0.0, end, 1501)
    found = solve_ivp(rates, (0.0, end), np.zeros(2 * (rod.n + 1)), "Radau", times, rtol=1e-6, atol=1e-9)
    middle = int(np.argmin(np.linalg.norm(rod.nodes - 0.5 * rod.end, axis=1)))
    bending = (rod.shapes[3 * middle + 1] - 0.5 * reach[1]) @ found.y[1 : 1 + rod.n]
    state = found.y[:, -1]
    rate, way, arm, frame, push, jacobian, rest = solve(end, state)
    q, dq = state[1 : 1 + rod.n], state[2 + rod.n :]
    of_rod = frame @ rod.momentum_rate(q, dq, rate[1:], state[1 + rod.n], rate[0], frame.T @ push)
    force = of_rod[0] + piston * (jacobian[0] @ rate + rest[0])
    return float(np.abs(bending).max()), float((way + frame @ arm)[0]), float(force)


if __name__ == "__main__":
    bar = pendulum_bar()
    print("pendulum bar, frequencies with both faces held, Hz:", bar.frequencies[:6].round(4).tolist())
    angles, deflections = pendulum(bar, [0.25, 0.5, 1.0])
    print("pendulum at 0.25, 0.5, 1 s, angle and deflection of the tip:")
    for angle, deflection in zip(angles, deflections, strict=True):
        print(f"  {angle:.11f} {deflection:.9e}")
    print(f"spin-up, smallest deflection of the tip: {spin_up(bar):.9e} m")
    rod = crank_rod()
    print("rod, frequencies with both faces held, Hz:", rod.frequencies[:3].round(2).tolist())
    print("slider-crank, largest deflection, piston, force on the rod's big end along x:", *slider_crank(rod))
