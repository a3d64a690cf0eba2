"""What a file of results holds, and whether it is as it was made: shapes of datasets, and the report."""

from typing import Any

import h5py

from faying.checksums import text_checksum


def require_shapes(root: h5py.Group, shapes: dict[str, list[int]], n_checked: int) -> None:
    """Refuse datasets that are not as they were made: numbers, in as many columns for each frame.

    Args:
        root: the group of the results.
        shapes: columns by name; nothing in a file from before they were noted.
        n_checked: of how many datasets there are checksums.

    Raises:
        ValueError: for the first that is otherwise.
        KeyError: for one that is not there.
    """
    for name, columns in {"axis_values": [], **shapes}.items():
        node = root[name]
        numbers = isinstance(node, h5py.Dataset) and node.dtype.kind == "f" and node.ndim > 0
        if not numbers or list(node.shape[1:]) != columns:
            raise ValueError(f"{name} is damaged")
    if n_checked and root["checks"].shape[1:] != (n_checked,):
        raise ValueError("the checksums are damaged")
    written = root.get("written")
    if written is not None and (not isinstance(written, h5py.Dataset) or written.shape != (4,)):
        raise ValueError("how many frames there are is damaged")


def growing_datasets(root: h5py.Group) -> dict[str, int]:
    """Return how many rows each of the datasets has that have a row for each frame, by name."""
    found: dict[str, int] = {}

    def visit(name: str, node: Any) -> None:
        grows = isinstance(node, h5py.Dataset) and node.maxshape and node.maxshape[0] is None
        if grows and not name.startswith("restart/"):
            found[name] = len(node)

    root.visititems(visit)
    return found


def report_text(root: h5py.Group) -> str | None:
    """Return the report as it was written, None when it is damaged."""
    text = root["report"][()]
    try:
        text = text.decode() if isinstance(text, bytes) else str(text)
    except UnicodeDecodeError:
        return None
    check = int(root["report_check"][()]) if "report_check" in root else 0
    return text if not check or check == text_checksum(text) else None
