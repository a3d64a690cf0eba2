"""Multifrontal Cholesky factor of a sparse positive definite matrix (Duff and Reid 1983; Liu 1992).

Elimination is dense arithmetic on one front after another, children before their parent in the elimination
tree. Subtrees that do not touch each other go to different threads; the fronts above them, few and large,
have the threads of the dense arithmetic.
"""

import ctypes
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cython_blas, cython_lapack

from faying.linalg import fronts_compiled
from faying.linalg.backends import Interrupted, NotDefiniteError
from faying.linalg.ordering import equal_neighbours, graph_of, nested_dissection, ranges
from faying.linalg.threads import one_thread, physical_cores

_MOST_WORK = 4e9  # multiplications of one subtree: a fraction of a second, then somebody may want to stop

Job = TypeVar("Job")
Found = TypeVar("Found")
fronts: Any = fronts_compiled  # compiled functions have no types that a checker knows


class MultifrontalCholesky:
    """The factor, with its solutions.

    Attributes:
        entries: numbers in the factor's panels.

    Args:
        matrix: symmetric, both triangles stored, rows sorted.
        stop: set from another thread when the result is no longer wanted.

    Raises:
        NotDefiniteError: when a pivot is not positive.
        Interrupted: when stopped.
    """

    def __init__(self, matrix: sp.csc_matrix, stop: threading.Event) -> None:
        self._tree = tree = _Tree.of(matrix)
        _listen(stop)
        self._panels = np.empty(tree.panel_starts[-1])
        self.entries = len(self._panels)
        indices = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32, copy=False))
        entries = (*indices, matrix.data, tree.order, tree.inverse)
        updates: dict[int, np.ndarray] = {}

        jobs, top = tree.split(tree.work, min(_MOST_WORK, tree.work.sum() / (4.0 * physical_cores())))

        def factor_subtree(root: int) -> None:
            _listen(stop)
            first = tree.first[root]
            most = fronts.subtree_stack(first, root, tree.parents, tree.row_starts)
            updates[root], info = fronts.factor_subtree(
                first, root, tree.parents, *tree.structure, self._panels, entries, _routines(), most
            )
            _refuse(info)

        _in_threads(
            factor_subtree, sorted(jobs, key=lambda root: -tree.work[tree.first[root] : root + 1].sum())
        )
        places = np.empty(len(tree.order), np.int32)
        children = tree.children()
        for s in top:
            _listen(stop)
            theirs = [updates.pop(child) for child in children[s]]
            joined = np.concatenate(theirs) if theirs else np.zeros(0)
            own = np.array(children[s], np.int64)
            updates[s], info = fronts.factor_front(
                s, own, joined, *tree.structure, self._panels, entries, places, _routines()
            )
            _refuse(info)

        # Solutions go through the panels once, so their threads share the numbers there.
        cores = physical_cores()
        self._jobs, self._top = tree.split(
            tree.sizes, tree.sizes.sum() / (2.0 * cores) if cores > 1 else np.inf
        )
        above = np.zeros(len(tree.parents), bool)
        above[self._top] = True
        self._above = np.flatnonzero(np.repeat(above, np.diff(tree.columns)))
        self._shelves = np.zeros(len(tree.order), np.int32)
        self._shelves[self._above] = np.arange(len(self._above))

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions."""
        tree = self._tree
        x = np.ascontiguousarray(right_hand_sides[tree.order])
        whole, nothing, routines = (*tree.structure, self._panels, x), np.zeros((0, 0)), _routines()

        def go_up(root: int) -> np.ndarray:
            above = np.zeros((len(self._above), x.shape[1]))
            fronts.forward(tree.first[root], root, *whole, above, self._shelves, routines)
            return above

        def go_down(root: int) -> None:
            fronts.backward(tree.first[root], root, *whole, routines)

        for taken in _in_threads(go_up, self._jobs):
            x[self._above] += taken
        for s in self._top:
            fronts.forward(s, s, *whole, nothing, self._shelves, routines)
        for s in reversed(self._top):
            fronts.backward(s, s, *whole, routines)
        _in_threads(go_down, self._jobs)
        out = np.empty_like(x)
        out[tree.order] = x
        return out


@dataclass(frozen=True)
class _Tree:
    """The elimination tree of supernodes, with rows as dofs in the order of elimination.

    Attributes:
        order, inverse: (n,) dof of each row, and row of each dof.
        parents, first: (s,) parent of each supernode, -1 for roots; first of its subtree.
        columns: (s + 1,) first row of each.
        row_starts, rows: the rows below each, (s + 1,) and all together.
        panel_starts: (s + 1,) where the panel of each begins in the factor.
        work, sizes: (s,) multiplications of each, numbers of its panel.
    """

    order: np.ndarray
    inverse: np.ndarray
    parents: np.ndarray
    first: np.ndarray
    columns: np.ndarray
    row_starts: np.ndarray
    rows: np.ndarray
    panel_starts: np.ndarray
    work: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, matrix: sp.csc_matrix) -> "_Tree":
        """Return the tree of a matrix, ordered by nested dissection."""
        groups = equal_neighbours(matrix)
        pointers, neighbours = graph_of(matrix, groups)
        order = nested_dissection(pointers, neighbours)
        parent = fronts.elimination_tree(pointers, neighbours, order, _inverse(order))
        after = fronts.postorder(parent)
        new = _inverse(after)
        order, parent = order[after], np.where(parent[after] >= 0, new[parent[after]], -1)
        place, weights = _inverse(order), np.diff(groups)[order]
        below, below_dofs = fronts.column_counts(pointers, neighbours, order, place, parent, weights)
        starts = fronts.relaxed_supernodes(parent, below_dofs, weights)

        count, last = len(starts) - 1, starts[1:] - 1
        of_vertex = np.repeat(np.arange(count), np.diff(starts))
        parents = np.where(parent[last] >= 0, of_vertex[parent[last]], -1)
        row_starts = _starts(below[last])
        rows = fronts.structures(pointers, neighbours, order, place, starts, parents, row_starts)

        # From vertices to their dofs.
        ends = _starts(weights)
        first = np.arange(count)
        for s, up in enumerate(parents.tolist()):
            if up >= 0:
                first[up] = min(first[up], first[s])
        wide, low = np.diff(ends[starts]).astype(float), below_dofs[last].astype(float)
        dofs = ranges(groups[order], weights)
        return cls(
            order=dofs,
            inverse=_inverse(dofs),
            parents=parents,
            first=first,
            columns=ends[starts],
            row_starts=_starts(below_dofs[last]),
            rows=ranges(ends[rows], weights[rows]).astype(np.int32),
            panel_starts=_starts((wide * (wide + low)).astype(np.int64)),
            work=wide**3 / 3.0 + wide**2 * low + wide * low**2,
            sizes=wide * (wide + low),
        )

    @property
    def structure(self) -> tuple[np.ndarray, ...]:
        """What the kernels want to know."""
        return self.columns, self.row_starts, self.rows, self.panel_starts

    def children(self) -> list[list[int]]:
        """Return the children of each supernode."""
        found: list[list[int]] = [[] for _ in self.parents]
        for s, up in enumerate(self.parents.tolist()):
            if up >= 0:
                found[up].append(s)
        return found

    def split(self, cost: np.ndarray, most: float) -> tuple[list[int], list[int]]:
        """Return roots of subtrees of limited cost, and the supernodes above these, ascending."""
        ends = np.concatenate([[0.0], np.cumsum(cost)])
        children, jobs, top = self.children(), [], []
        waiting = np.flatnonzero(self.parents < 0).tolist()
        while waiting:
            s = waiting.pop()
            if ends[s + 1] - ends[self.first[s]] <= most or not children[s]:
                jobs.append(s)
            else:
                top.append(s)
                waiting += children[s]
        return sorted(jobs), sorted(top)


@cache
def _routines() -> tuple[int, ...]:
    """Return the addresses of LAPACK's potrf and BLAS' trsm, syrk and gemm for double precision."""
    names = (
        (cython_lapack, "dpotrf"),
        (cython_blas, "dtrsm"),
        (cython_blas, "dsyrk"),
        (cython_blas, "dgemm"),
    )
    return tuple(_address(module.__pyx_capi__[name]) for module, name in names)


def _address(capsule: Any) -> int:
    """Return the address that a capsule holds; its name is the routine's signature."""
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return int(api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule)))


def _in_threads(work: Callable[[Job], Found], jobs: Iterable[Job]) -> list[Found]:
    """Return what the work makes of each job, on all cores; dense arithmetic has one thread in each."""
    with one_thread(), ThreadPoolExecutor(physical_cores()) as pool:
        return list(pool.map(work, jobs))


def _listen(stop: threading.Event) -> None:
    if stop.is_set():
        raise Interrupted


def _refuse(info: int) -> None:
    if info:
        raise NotDefiniteError


def _inverse(order: np.ndarray) -> np.ndarray:
    inverse = np.empty(len(order), np.int64)
    inverse[order] = np.arange(len(order))
    return inverse


def _starts(sizes: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
