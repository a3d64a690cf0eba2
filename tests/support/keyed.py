"""Results files that were written before curves had keys, as if they had been written since."""

import json
from pathlib import Path

import h5py


def give_keys(folder: Path) -> None:
    """Write keys of curves and shapes of datasets into all results in a folder's files."""
    for path in (*folder.rglob("*.faying"), *folder.rglob("*.h5")):
        with h5py.File(path, "r+") as file:
            found = [file] if "axis" in file.attrs else []
            file.visititems(lambda _, node, found=found: found.append(node) if "axis" in node.attrs else None)
            for group in found:
                curves = {name: {"quantity": name} for name in group.get("curves", {})}
                shapes = {}
                group.visititems(
                    lambda name, node, shapes=shapes: (
                        shapes.update({name: node.shape[1:]})
                        if isinstance(node, h5py.Dataset) and node.maxshape and node.maxshape[0] is None
                        else None
                    )
                )
                group.attrs.update({"curves": json.dumps(curves), "shapes": json.dumps(shapes)})
