"""Elements of universal files (dataset 2412) by descriptor, as reader and writer number their nodes."""

SOLIDS: dict[int, tuple[str, list[int]]] = {
    111: ("tet4", [0, 1, 2, 3]),
    118: ("tet10", [0, 2, 4, 9, 1, 3, 5, 6, 7, 8]),
    112: ("wedge6", [0, 1, 2, 3, 4, 5]),
    113: ("wedge15", [0, 2, 4, 9, 11, 13, 1, 3, 5, 10, 12, 14, 6, 7, 8]),
    115: ("hex8_incompatible", list(range(8))),
    116: ("hex20", [0, 2, 4, 6, 12, 14, 16, 18, 1, 3, 5, 7, 13, 15, 17, 19, 8, 9, 10, 11]),
}
"""By descriptor: kind, and the file's position of each of our nodes. Midside nodes are between their corners there."""

FACETS: dict[int, list[int]] = {
    41: [0, 1, 2], 51: [0, 1, 2], 61: [0, 1, 2], 91: [0, 1, 2], 42: [0, 2, 4], 52: [0, 2, 4], 92: [0, 2, 4],
    44: [0, 1, 2, 3], 54: [0, 1, 2, 3], 64: [0, 1, 2, 3], 94: [0, 1, 2, 3], 45: [0, 2, 4, 6], 95: [0, 2, 4, 6],
}  # fmt: skip
"""By descriptor of plane and shell elements: positions of the corners."""

BEAMS = (11, 21, 22, 23, 24)
"""Descriptors of rods and beams: their records have one more line."""

_WRITTEN: dict[str, tuple[int, list[int]]] = {
    **{kind: (descriptor, order) for descriptor, (kind, order) in SOLIDS.items()},
    **dict.fromkeys(("hex8", "hex8_full", "hex8_reduced"), (115, list(range(8)))),
    "hex20_reduced": (116, SOLIDS[116][1]),
    "beam2": (21, [0, 1]),
    "beam3": (24, [0, 1, 2]),
}
_FACET_KINDS = {3: (91, [0, 1, 2]), 4: (94, [0, 1, 2, 3]), 6: (92, [0, 2, 4, 1, 3, 5]),
                8: (95, [0, 2, 4, 6, 1, 3, 5, 7])}  # fmt: skip


def descriptor_of(kind: str, n_nodes: int) -> tuple[int, list[int]] | None:
    """Return the descriptor of an element kind and the file's position of each of its nodes; None for pyramids."""
    if kind in _WRITTEN:
        return _WRITTEN[kind]
    return _FACET_KINDS.get(n_nodes) if kind.startswith(("shell", "skin")) else None
