"""Load vectors from other programs: nodal forces by component, one column per load.

Formats: Nastran DMIG whose name begins with P, NumPy archives with the arrays `loads` (n, k) and `dofs` (n, 2), and
text with node, component and forces in each line, as Abaqus writes the concentrated loads of a substructure.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from faying.errors import ReadError, shortened
from faying.fem.array_files import load_arrays
from faying.fem.matrix_files import DofList, dof_list_of, head_of
from faying.fem.matrix_files.nastran import NastranMatrixReader, read_columns
from faying.fem.whole_numbers import whole_number
from faying.progress import Silent

_MAX_NUMBERS = 200_000_000  # numbers in an array
_SEVERAL = 1 << 4  # component numbers go up to 15


@dataclass(frozen=True, eq=False)
class LoadVectors:
    """Forces read from a file.

    Attributes:
        path: of the file, for error messages.
        dofs: (n,) degrees of freedom, each once.
        vectors: (n, k).
    """

    path: Path
    dofs: DofList
    vectors: np.ndarray


def read_load_vectors(path: Path) -> LoadVectors:
    """Return the load vectors in a file.

    Raises:
        ReadError: when the file is missing or of another kind.
    """
    head = head_of(path, "a file of loads")
    if head.startswith(b"PK\x03\x04"):
        dofs, vectors = _of_archive(path)
    elif NastranMatrixReader.recognises(path, head):
        dofs, vectors = read_columns(path, Silent())
    else:
        dofs, vectors = _of_text(path)
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(wrong):
        raise ReadError(path, None, f"the force at {dofs.name(int(wrong[0]))} is no finite number.")
    labels = np.sort(dofs.labels)
    twice = labels[1:][np.diff(labels) == 0]
    if len(twice):
        raise ReadError(
            path, None,
            f"there are two lines for node {twice[0] // _SEVERAL}, component {twice[0] % _SEVERAL}.",
            "Put all forces of a degree of freedom into one line.",
        )  # fmt: skip
    return LoadVectors(path, dofs, vectors)


def _of_archive(path: Path) -> tuple[DofList, np.ndarray]:
    try:
        arrays = load_arrays(path, _MAX_NUMBERS)
        if not {"loads", "dofs"} <= set(arrays):
            raise ValueError("an array `loads` or `dofs` is missing")
        loads, table = arrays["loads"], arrays["dofs"]
        loads = loads[:, None] if loads.ndim == 1 else loads
        if loads.dtype.kind not in "iuf" or loads.ndim != 2 or loads.shape[:1] != table.shape[:1]:
            raise ValueError("`loads` has no row of real numbers for each row of `dofs`")
    except ValueError as error:
        raise ReadError(
            path, None, f"these are no load vectors: {error}.",
            "Write it with numpy.savez(path, loads=…, dofs=…), node number and component in each row of dofs.",
        ) from error  # fmt: skip
    return dof_list_of(path, table), np.asarray(loads, float)


def _of_text(path: Path) -> tuple[DofList, np.ndarray]:
    places, rows = list[tuple[int, int]](), list[list[float]]()
    with path.open(encoding="utf-8", errors="replace") as stream:
        for number, line in enumerate(stream, 1):
            words = line.replace(",", " ").replace(";", " ").split()
            if not words or line.lstrip()[0] in "*#%$":
                continue
            try:
                node, component = whole_number(words[0]), whole_number(words[1])
                values = [float(word) for word in words[2:]]
                if not values or not 0 < component < _SEVERAL or (rows and len(values) != len(rows[0])):
                    raise ValueError
            except (ValueError, IndexError):
                raise ReadError(
                    path, number,
                    f"found {shortened(line.strip())!r}, expected a node, a component and a force for each load.",
                    "Every line has as many forces as the first one.",
                ) from None  # fmt: skip
            places.append((node, component))
            rows.append(values)
    if not rows:
        raise ReadError(path, None, "there is no force in this file.")
    table = np.array(places, np.int64)
    return DofList(table[:, 0], table[:, 1]), np.array(rows)
