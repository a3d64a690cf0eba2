"""Symmetric matrices whose rows belong to components of nodes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.errors import ReadError

_UNSYMMETRIC = 1e-8  # relative to the largest entry of the two rows
LARGEST_COMPONENT = 15
_DENSE_RANGE = 50_000_000  # span of labels up to which a table is faster than sorting


@dataclass(frozen=True, eq=False)
class DofList:
    """Node and component of each row of a matrix.

    Attributes:
        nodes: (n,) node numbers; internal nodes of the writing program are often negative.
        components: (n,) 1 … 3 displacements, 4 … 6 rotations; others as numbered by the writing program.
    """

    nodes: np.ndarray
    components: np.ndarray

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def labels(self) -> np.ndarray:
        """(n,) one number for node and component; ascending by node, then component.

        They distinguish components from 0 to `LARGEST_COMPONENT`.
        """
        return np.asarray(self.nodes * (LARGEST_COMPONENT + 1) + self.components)

    @classmethod
    def of_labels(cls, labels: np.ndarray) -> "DofList":
        """Return the list with these (n,) `labels`."""
        return cls(*np.divmod(labels, LARGEST_COMPONENT + 1))

    def name(self, row: int) -> str:
        """Return a row as text: "node 12, component 3"."""
        return f"node {self.nodes[row]}, component {self.components[row]}"


@dataclass(frozen=True, eq=False)
class LabelledMatrix:
    """A symmetric matrix, both triangles stored.

    Attributes:
        path: source file, for error messages.
        dofs: of its rows and columns.
        matrix: CSR (n, n).
    """

    path: Path
    dofs: DofList
    matrix: sp.csr_matrix


def real_matrix(path: Path, matrix: Any) -> sp.csr_matrix:
    """Return a sparse matrix of floats.

    Raises:
        ReadError: when it contains anything but real numbers.
    """
    if matrix.dtype.kind not in "iuf":
        raise ReadError(path, None, f"the matrix holds numbers of type {matrix.dtype}, expected real ones.")
    return sp.csr_matrix(matrix, dtype=float)


def check_components(path: Path, dofs: DofList) -> None:
    """Check that components are possible for degrees of freedom.

    Raises:
        ReadError: naming the first invalid one.
    """
    wrong = np.flatnonzero((dofs.components < 0) | (dofs.components > LARGEST_COMPONENT))
    if len(wrong):
        row = wrong[0]
        raise ReadError(
            path, None, f"found component {dofs.components[row]} of node {dofs.nodes[row]}, expected 1 to 6.",
            "Components are 1 to 3 for displacements and 4 to 6 for rotations; write the matrix without others.",
        )  # fmt: skip


def check_size(path: Path, shape: tuple[int, ...], dofs: DofList | None) -> None:
    """Check, before a matrix is created, that it is square and has a list of degrees of freedom of its size.

    Raises:
        ReadError: naming the mismatch.
    """
    rows, columns = shape
    if rows != columns:
        raise ReadError(path, None, f"the matrix has {rows} rows and {columns} columns, expected as many.")
    if dofs is None:
        raise ReadError(
            path, None, f"nothing says which nodes the {rows} rows belong to.",
            f"Put a list of degrees of freedom next to it, {path.stem}.dof or {path.stem}_dofs.csv with a node "
            "number and a component in each line, or name one.",
        )  # fmt: skip
    if len(dofs) != rows:
        raise ReadError(
            path, None, f"the matrix has {rows} rows, but its list of degrees of freedom has {len(dofs)} lines.",
            "Take the list that was written together with the matrix.",
        )  # fmt: skip


def labelled(
    path: Path, matrix: sp.csr_matrix, dofs: DofList | None, *, is_whole: bool = False
) -> LabelledMatrix:
    """Return a matrix with its list of degrees of freedom, completed to both triangles.

    Args:
        path: the file, for error messages.
        matrix: its entries.
        dofs: of its rows.
        is_whole: whether the file declares both triangles; an entry in only one of them is then an error.

    Raises:
        ReadError: when the list is missing, has another size or names a degree of freedom twice, or the matrix
            is not square or not symmetric.
    """
    check_size(path, matrix.shape, dofs)
    assert dofs is not None
    order = np.argsort(dofs.labels, kind="stable")
    twice = np.flatnonzero(np.diff(dofs.labels[order]) == 0)
    if len(twice):
        raise ReadError(
            path, None, f"the list of degrees of freedom names {dofs.name(order[twice[0]])} twice.",
            "Take the list that was written together with the matrix; CalculiX lists the nodes of beams and shells "
            "several times, so let these be solids there.",
        )  # fmt: skip
    return LabelledMatrix(path, dofs, _symmetric(path, matrix, dofs, is_whole))


def labelled_from_entries(
    path: Path, rows: DofList, columns: DofList, values: np.ndarray, *, is_whole: bool = False
) -> LabelledMatrix:
    """Return the matrix from entries with node and component of row and column; raises as `labelled`.

    Repeated entries are summed. For `is_whole` see `labelled`.
    """
    check_components(path, rows)
    check_components(path, columns)
    labels, positions = _distinct(np.concatenate([rows.labels, columns.labels]))
    entries = (values, (positions[: len(values)], positions[len(values) :]))
    matrix = sp.csr_matrix(entries, shape=(len(labels), len(labels)))
    return labelled(path, matrix, DofList.of_labels(labels), is_whole=is_whole)


def _distinct(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ascending distinct labels and the position of each label among them."""
    if not len(labels):
        return labels, labels
    low = int(labels.min())
    span = int(labels.max()) - low + 1
    if span > min(_DENSE_RANGE, 1000 + 50 * len(labels)):
        return np.unique(labels, return_inverse=True)
    table = np.zeros(span, np.int32)
    table[labels - low] = 1
    found = np.flatnonzero(table)
    table[found] = np.arange(len(found))
    return found + low, table[labels - low]


def _symmetric(path: Path, matrix: sp.csr_matrix, dofs: DofList, is_whole: bool) -> sp.csr_matrix:
    """Return both triangles of a matrix with stored entries in one triangle, split over both, or in both."""
    matrix.sum_duplicates()
    wrong = np.flatnonzero(~np.isfinite(matrix.data))
    if len(wrong):
        row = int(np.searchsorted(matrix.indptr, wrong[0], side="right")) - 1
        raise ReadError(path, None, f"the row of {dofs.name(row)} holds a number that is not finite.")
    off_diagonal = (matrix - sp.diags(matrix.diagonal(), format="csr")).tocsr()
    off_diagonal.eliminate_zeros()
    lower, upper = sp.tril(off_diagonal, -1, format="csr"), sp.triu(off_diagonal, 1, format="csr")
    if not is_whole and (not lower.nnz or not upper.nnz or not lower.multiply(upper.T).nnz):
        full: sp.csr_matrix = (matrix + off_diagonal.T).tocsr()
        return full
    difference = abs(lower - upper.T).tocoo()
    largest = abs(off_diagonal).max(axis=1).toarray().ravel()
    allowed = _UNSYMMETRIC * np.maximum(largest[difference.row], largest[difference.col])
    bad = np.flatnonzero(difference.data > allowed)
    if len(bad):
        worst = bad[np.argmax(difference.data[bad])]
        i, j = int(difference.row[worst]), int(difference.col[worst])
        raise ReadError(
            path, None,
            f"the matrix is not symmetric: {matrix[i, j]:.6g} and {matrix[j, i]:.6g} stand for {dofs.name(i)} with "
            f"{dofs.name(j)}.",
            "Write it without friction, follower loads and unsymmetric damping, with symmetric storage.",
        )  # fmt: skip
    return sp.csr_matrix(0.5 * (matrix + matrix.T))
