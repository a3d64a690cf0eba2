"""Files of mode shapes: arrays of NumPy with the node and component of each row."""

import zipfile
from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.frd import read_frd
from faying.fem.matrix_files import DofList, dof_list_beside, dof_list_of, read_dof_list
from faying.input_files import is_file


def read_modes(path: Path, dof_file: Path | None, node_ids: np.ndarray) -> tuple[np.ndarray, DofList]:
    """Return mode shapes (n, r) and the node and component of each of their rows.

    A .npy file holds an array (n, r) with a list of degrees of freedom next to it, or an array (nodes, 3, r) in the
    order of the deck's nodes. A .npz file holds `modes` (n, r) and `dofs` (n, 2). From results of CalculiX (.frd) the
    displacements are taken: those of vibration modes, if there are any, or else all.

    Args:
        path: of the modes.
        dof_file: the list of degrees of freedom; by default searched next to the modes.
        node_ids: (n_nodes,) the deck's node numbers.

    Raises:
        ReadError: when the file is missing, holds something else, or its rows have no list or one of another length.
    """
    if not is_file(path):
        raise ReadError(path, None, f"the file of modes is not there: {path}.", "Choose it again.")
    if path.suffix.lower() == ".frd":
        return _of_calculix(path)
    dofs = None
    try:
        found = np.load(path, allow_pickle=False)
        if isinstance(found, np.ndarray):
            modes = found
        else:
            with found:
                if "modes" not in found:
                    raise ReadError(
                        path, None, "there is no array called modes.", "Save it with modes= and dofs=."
                    )
                modes = found["modes"]
                dofs = dof_list_of(path, found["dofs"]) if "dofs" in found else None
    except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise ReadError(
            path, None, f"this is no file of NumPy arrays: {error}.", "Write .npy or .npz."
        ) from error
    if modes.dtype.kind not in "iuf" or modes.ndim not in (2, 3):
        raise ReadError(
            path, None, f"found an array of {modes.dtype} of shape {modes.shape}, expected real numbers, one column "
            "for each mode.",
        )  # fmt: skip
    if modes.ndim == 3:
        return _by_node(path, modes, node_ids)
    beside = dof_file or (dof_list_beside(path) if dofs is None else None)
    if beside is not None:
        dofs = read_dof_list(beside)
    if dofs is None:
        raise ReadError(
            path, None, f"nothing says which nodes the {len(modes)} rows belong to.",
            f"Put a list of degrees of freedom next to it, {path.stem}_dofs.csv with a node number and a component in "
            "each line, or name one.",
        )  # fmt: skip
    if len(dofs) != len(modes):
        raise ReadError(
            path, None, f"the modes have {len(modes)} rows, but their list of degrees of freedom {len(dofs)} lines.",
            "Take the list that was written together with the modes.",
        )  # fmt: skip
    return np.asarray(modes, float), dofs


def _of_calculix(path: Path) -> tuple[np.ndarray, DofList]:
    blocks = read_frd(path, "DISP")
    chosen = [block for block in blocks if block.kind == 2] or list(blocks)
    if not chosen:
        raise ReadError(
            path, None, "there are no displacements in it.", "Ask for them in CalculiX: *NODE FILE with U."
        )
    nodes = chosen[0].nodes
    for block in chosen:
        if not np.array_equal(block.nodes, nodes) or block.values.shape[1] != 3:
            raise ReadError(path, None, "its displacements are not all of the same nodes.", "Write it again.")
    modes = np.stack([block.values.ravel() for block in chosen], axis=1)
    return modes, DofList(np.repeat(nodes, 3), np.tile([1, 2, 3], len(nodes)))


def _by_node(path: Path, modes: np.ndarray, node_ids: np.ndarray) -> tuple[np.ndarray, DofList]:
    n, components, count = modes.shape
    if n != len(node_ids) or components != 3:
        raise ReadError(
            path, None, f"found an array of shape {modes.shape}, expected ({len(node_ids)}, 3, r): three displacements "
            f"of the deck's {len(node_ids)} nodes for each mode.",
        )  # fmt: skip
    dofs = DofList(np.repeat(node_ids, 3).astype(np.int64), np.tile([1, 2, 3], n))
    return np.asarray(modes, float).reshape(3 * n, count), dofs
