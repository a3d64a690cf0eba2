"""Lists of degrees of freedom: node and component of each row of a matrix."""

from pathlib import Path

import numpy as np

from faying.errors import ReadError, shortened
from faying.fem.array_files import load_array
from faying.fem.matrix_files._labelled import LARGEST_COMPONENT, DofList, check_components
from faying.fem.matrix_files._text import as_indices, has_columns, quick_numbers
from faying.fem.model import LARGEST_ID
from faying.fem.whole_numbers import is_whole_number, whole_number
from faying.input_files import is_file


def dof_list_beside(path: Path) -> Path | None:
    """Return the list in the folder of a matrix, found by its name; None if there is none.

    For "job.sti": job.dof, job_dofs.csv, job_dofs.npy, then dofs.csv and dofs.npy for all in the folder.
    """
    names = (f"{path.stem}.dof", f"{path.stem}_dofs.csv", f"{path.stem}_dofs.npy", "dofs.csv", "dofs.npy")
    return next((path.with_name(name) for name in names if is_file(path.with_name(name))), None)


def read_dof_list(path: Path) -> DofList:
    """Return the list in a file.

    It contains lines "node.component" as in CalculiX, lines "node, component" (a heading is skipped), or a NumPy array
    (n, 2).

    Raises:
        ReadError: naming the invalid line.
    """
    if not is_file(path):
        raise ReadError(
            path, None, f"the list of degrees of freedom is not there: {path}.", "Choose it again."
        )
    table = _read_array(path) if path.suffix.lower() == ".npy" else _read_lines(path)
    wrong = np.flatnonzero((table[:, 1] < 1) | (table[:, 1] > LARGEST_COMPONENT))
    if len(wrong):
        node, component = table[wrong[0]]
        raise ReadError(
            path, int(wrong[0]) + 1, f"found component {component} of node {node}, expected 1 to 6.",
            "Components are 1 to 3 for displacements and 4 to 6 for rotations.",
        )  # fmt: skip
    return DofList(table[:, 0].copy(), table[:, 1].copy())


def dof_list_of(path: Path, array: np.ndarray) -> DofList:
    """Return the list in an array (n, 2) of node numbers and components.

    Raises:
        ReadError: when the array is invalid.
    """
    whole = array.dtype.kind in "iu" or (array.dtype.kind == "f" and bool((array == np.rint(array)).all()))
    if array.ndim != 2 or array.shape[1] != 2 or not whole or not (np.abs(array) < LARGEST_ID).all():
        raise ReadError(
            path,
            None,
            f"found an array of shape {array.shape}, expected n rows of node number and component.",
        )
    table = array.astype(np.int64)
    dofs = DofList(table[:, 0].copy(), table[:, 1].copy())
    check_components(path, dofs)
    return dofs


def _read_array(path: Path) -> np.ndarray:
    try:
        dofs = dof_list_of(path, load_array(path))
    except ValueError as error:
        raise ReadError(
            path, None, f"this is no NumPy array: {error}.", "Write it with numpy.save."
        ) from error
    return np.stack([dofs.nodes, dofs.components], axis=1)


def _read_lines(path: Path) -> np.ndarray:
    text = path.read_bytes()
    plain = text.replace(b".", b" ").replace(b",", b" ").replace(b";", b" ")
    numbers = quick_numbers(plain, 2 * (text.count(b"\n") + (not text.endswith(b"\n"))))
    if numbers is not None and has_columns(plain, 2):
        return as_indices(path, numbers, "node numbers and components").reshape(-1, 2)
    rows: list[tuple[int, int]] = []
    lines = text.decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines, 1):
        words = line.replace(",", " ").replace(";", " ").split()
        if len(words) == 1 and "," not in line:
            words = words[0].split(".")  # node.component is not a decimal number: 12.10 is not 12.1
        if not words or line.lstrip().startswith(("#", "*")):
            continue
        try:
            node, component = (whole_number(word) for word in words)
        except ValueError:
            if not rows and not is_whole_number(words[0]):
                continue  # the heading of a table
            raise ReadError(
                path, number, f"found {shortened(line.strip())!r}, expected a node number and a component.",
                'Write "12.3" or "12, 3" for the third component of node 12.',
            ) from None  # fmt: skip
        rows.append((node, component))
    if not rows:
        raise ReadError(path, None, "there is no degree of freedom in this list.")
    return np.array(rows, np.int64)
