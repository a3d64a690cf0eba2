"""Imposed displacements of interface nodes, and their reaction forces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.analyses.statics.loads import NodeValues
from faying.errors import ModelError
from faying.load_histories import LoadHistory, load_histories
from faying.params import Spec, member_of, parameter
from faying.reduction.body import no_interface_node
from faying.solvers.displacement_controlled_body import constraint_forces
from faying.units import UnitSystemName, unit_text

COMPONENTS = ("ux", "uy", "uz", "rx", "ry", "rz")
_DEPENDENT = 1e-10  # smallest singular value of rows of length one that count as independent


def _displacement(axis: str) -> Any:
    return parameter(
        None, title=f"Displacement {axis}", quantity="length",
        meaning=f"Along {axis}, from the undeformed body, as seen from the support. Empty leaves it free.",
    )  # fmt: skip


def _rotation(axis: str) -> Any:
    return parameter(
        None, title=f"Rotation {axis}", quantity="angle",
        meaning=f"Small rotation about {axis}, as seen from the support. Empty leaves it free.",
    )  # fmt: skip


class DisplacementSpec(Spec):
    """Where an interface node is moved to; components without a value are free."""

    interface: str = parameter(title="Interface node", choices="interface", meaning="The node that is moved.")
    ux: float | None = _displacement("x")
    uy: float | None = _displacement("y")
    uz: float | None = _displacement("z")
    rx: float | None = _rotation("x")
    ry: float | None = _rotation("y")
    rz: float | None = _rotation("z")
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "constant"},
        title="Load history",
        meaning="How the displacement varies over time, from 0 where the node is at rest to 1 at the values; static "
        "analyses and steps use all of it.",
    )

    @property
    def given(self) -> dict[int, float]:
        """Values of the components that are not free, by their numbers from 0 to 5."""
        values = (getattr(self, name) for name in COMPONENTS)
        return {k: value for k, value in enumerate(values) if value is not None}

    def text(self, units: UnitSystemName) -> str:
        """Return the displacement in a few words: "uz 0.1 mm of tip"."""
        parts = [
            f"{COMPONENTS[k]} {value + 0.0:g} {unit_text('length' if k < 3 else 'angle', units)}".strip()
            for k, value in self.given.items()
        ]
        return f"{', '.join(parts) or 'no displacement'} of {self.interface}"


@dataclass(frozen=True, eq=False)
class ImposedDisplacements:
    """Linear constraints C x = d.

    Attributes:
        components: interface node and number of the component, from 0 to 5, of each.
        rows: C (m, n), dense of a reduced body, CSR of an unreduced one.
        values: d (m,) under the full load.
    """

    components: tuple[tuple[str, int], ...]
    rows: Any
    values: np.ndarray

    def between(self, start: np.ndarray, share: float) -> np.ndarray:
        """Return (m,) values at a share of the load: linear between those at coordinates `start` (n,) and `values`."""
        first = self.rows @ start
        return np.asarray(first + share * (self.values - first))

    def over_time(
        self, start: np.ndarray, displacements: Sequence[DisplacementSpec]
    ) -> "DisplacementsOverTime":
        """Return the displacements over time, each following its load history.

        Args:
            start: (n,) coordinates of the body at rest, where the histories are zero.
            displacements: the specs from which these constraints were made.
        """
        histories = tuple(each.time_history for each in displacements for _ in each.given)
        return DisplacementsOverTime(self.rows, self.rows @ start, self.values, histories)

    def beside(self, constraints: sp.csr_matrix | None) -> Any:
        """Return the rows stacked below those of other constraints (CSR or None)."""
        if constraints is None or not constraints.shape[0]:
            return self.rows
        return sp.vstack([constraints, self.rows], format="csr")

    def reactions(self, unbalanced: np.ndarray, constraints: sp.csr_matrix | None = None) -> NodeValues:
        """Return the reaction forces and moments on the body; loads at the node are not part of it.

        Args:
            unbalanced: (n,) K x − f − Q, with loads f and contact forces Q.
            constraints: other constraints of the coordinates, whose forces `unbalanced` contains too.
        """
        found = constraint_forces(self.beside(constraints), unbalanced)
        own = found[len(found) - len(self.components) :]
        return dict(zip(self.components, own.tolist(), strict=True))


def imposed_displacements(
    displacements: Sequence[DisplacementSpec], motions: Mapping[str, Any], support: str
) -> ImposedDisplacements | None:
    """Return the constraints of imposed displacements; None where no component has a value.

    Args:
        displacements: of interface nodes.
        motions: (6, n) or (3, n) motion of each interface node by name, seen from the support; dense or CSR.
        support: interface node that holds the body.

    Raises:
        ModelError: when a node is unknown, is the support or has no rotations, when a component has two values, or when
            the body cannot move so.
    """
    components: list[tuple[str, int]] = []
    rows: list[Any] = []
    values: list[float] = []
    for each in displacements:
        if not support:
            raise ModelError(
                "A displacement is imposed on a body that is held nowhere: it counts from the support.",
                "Choose an interface node that holds the body, or apply forces.",
            )
        if each.interface not in motions:
            raise no_interface_node(each.interface, motions)
        if each.interface == support and each.given:
            raise at_support(support)
        motion = motions[each.interface]
        for k, value in each.given.items():
            if k >= motion.shape[0]:
                raise ModelError(
                    f"A rotation is imposed on interface node {each.interface!r}, which has no rotations.",
                    "Move the reference node of a coupling instead.",
                )
            if (each.interface, k) in components:
                raise given_twice(each.interface, COMPONENTS[k])
            components.append((each.interface, k))
            rows.append(motion[[k]])
            values.append(value)
    if not components:
        return None
    together = sp.vstack(rows, format="csr") if sp.issparse(rows[0]) else np.vstack(rows)
    _require_independent(components, together)
    return ImposedDisplacements(tuple(components), together, np.array(values))


@dataclass(frozen=True, eq=False)
class DisplacementsOverTime:
    """Imposed displacements that follow load histories: a `GivenMotions`.

    Attributes:
        rows: C (m, n).
        first: d (m,) where the histories are 0.
        values: d (m,) where they are 1.
        histories: (m,) load histories.
    """

    rows: np.ndarray
    first: np.ndarray
    values: np.ndarray
    histories: tuple[LoadHistory, ...]

    def at(self, time: float) -> np.ndarray:
        """Return d (m,)."""
        factors = np.array([history.factor(time) for history in self.histories])
        return np.asarray(self.first + factors * (self.values - self.first))

    def rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ḋ and d̈ (m,)."""
        both = (
            np.array([history.rates(time) for history in self.histories])
            * ((self.values - self.first)[:, None])
        )
        return both[:, 0], both[:, 1]


@dataclass(frozen=True, eq=False)
class DisplacedInSteps:
    """Components of interface nodes that some step displaces.

    Attributes:
        imposed: the components, with values of zero; None without any.
        ends: of each step, by number of the component, the values that it gives.
    """

    imposed: ImposedDisplacements | None
    ends: tuple[dict[int, float], ...]

    @property
    def components(self) -> tuple[tuple[str, int], ...]:
        """Interface node and number of each component; none without displacements."""
        return self.imposed.components if self.imposed is not None else ()


def displaced_in_steps(
    steps: Sequence[Sequence[DisplacementSpec]], motions: Mapping[str, Any], support: str
) -> DisplacedInSteps:
    """Return the components that steps displace.

    Args:
        steps: the displacements of each.
        motions, support: as of `imposed_displacements`.

    Raises:
        ModelError: as `imposed_displacements`.
    """
    each = [imposed_displacements(displacements, motions, support) for displacements in steps]
    found, rows = list[tuple[str, int]](), list[Any]()
    for imposed in each:
        for k, component in enumerate(imposed.components if imposed is not None else ()):
            assert imposed is not None
            if component not in found:
                found.append(component)
                rows.append(imposed.rows[[k]])
    ends = tuple(
        {} if i is None else {found.index(c): float(v) for c, v in zip(i.components, i.values, strict=True)}
        for i in each
    )
    if not found:
        return DisplacedInSteps(None, ends)
    together = sp.vstack(rows, format="csr") if sp.issparse(rows[0]) else np.vstack(rows)
    _require_independent(found, together)
    return DisplacedInSteps(ImposedDisplacements(tuple(found), together, np.zeros(len(found))), ends)


def at_support(node: str) -> ModelError:
    """Return the error that the node which holds the body is to move."""
    return ModelError(
        f"A displacement is imposed on interface node {node!r}, which holds the body.",
        "Move another interface node; displacements count from the support.",
    )


def given_twice(node: str, component: str) -> ModelError:
    """Return the error that a component of an interface node has two displacements."""
    return ModelError(
        f"Two displacements give {component} of interface node {node!r}.",
        "Leave the component free in one of them.",
    )


def _require_independent(components: Sequence[tuple[str, int]], rows: Any) -> None:
    """Refuse displacements that the body cannot make, or not each by itself."""
    names = [f"{node} {COMPONENTS[k]}" for node, k in components]
    is_sparse = bool(sp.issparse(rows))
    dense = _dense(rows[:, np.unique(rows.indices)] if is_sparse else rows)
    sizes = np.linalg.norm(dense, axis=1)
    fixed = [name for name, size in zip(names, sizes, strict=True) if not size]
    if fixed:
        raise ModelError(
            f"The displacement {fixed[0]!r} cannot be imposed: nothing in the body moves it.",
            "Look whether the node is tied to the support, or give the body a component method that moves its "
            "interface nodes, such as Craig-Bampton.",
        )
    smallest = np.linalg.svd(dense / sizes[:, None], compute_uv=False).min() if len(names) > 1 else 1.0
    if len(names) > dense.shape[1] or smallest < _DEPENDENT:
        raise ModelError(
            f"The displacements {', '.join(names)} cannot be imposed each by itself: they move only together.",
            "Leave some of them free, or give the body a component method that moves its interface nodes, such as "
            "Craig-Bampton.",
        )


def _dense(matrix: Any) -> np.ndarray:
    is_sparse = bool(sp.issparse(matrix))
    return np.asarray(matrix.toarray() if is_sparse else matrix)
