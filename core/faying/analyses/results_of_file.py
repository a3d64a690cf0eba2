"""Results of another program, as frames to look at and to compare with."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyAnalysis, BodyModel, analyses
from faying.analyses.harmonics.response_points import output_keys
from faying.errors import ModelError, ReadError
from faying.fem.couplings import cross_matrices
from faying.fem.frd import FrdBlock, read_frd, read_frd_nodes
from faying.fem.model import FeModel
from faying.joints.kinematics import gaps_and_slips
from faying.params import parameter
from faying.progress import Progress
from faying.results.names import path_of
from faying.results.writer import ResultsWriter
from faying.units import amount

_SAME_PLACE = 1e-4  # of the body's size: coordinates in the file have six digits
_AXES = {1: "time", 2: "mode"}  # by the kind of a block; all others are loads
_STRESSES = ("SXX", "SYY", "SZZ", "SXY", "SYZ", "SZX")
_AGAIN = "Ask for displacements of all nodes in CalculiX: *NODE FILE with U, without NSET."


@analyses.register("results_of_file")
class ResultsOfFile(BodyAnalysis):
    """Displacements and stresses from a file: nothing is computed but gaps and slips of the joints, from displacements.

    Stresses are those of the file where it has any, and follow from the displacements where it has none. It is looked
    at, exported and taken away from other results like any analysis.
    """

    title: ClassVar[str] = "Results of CalculiX"
    needs_reduced: ClassVar[bool] = False
    needs_model: ClassVar[bool] = True

    file: str = parameter(
        "", title="File", choices="file",
        meaning="Results of CalculiX (.frd, text) in the units of the deck: its frames are load steps, times or "
        "vibration modes.",
    )  # fmt: skip
    distance: float = parameter(
        0.0, title="Distance of nodes", quantity="length", ge=0.0,
        meaning="How far from a node of the body the file's nearest node may be, where none is at its place: with "
        "another mesh values are taken from there. 0: the meshes have to be the same.",
    )  # fmt: skip

    @property
    def sees_friction(self) -> bool:
        """False: the file holds no friction."""
        return False

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Bring the file's frames to the nodes of the body.

        Raises:
            ReadError: when the file is not what it should be.
            ModelError: when the body has nodes that the file has not.
        """
        assert body.model is not None  # it says that it needs it
        if not self.file:
            raise ModelError("No file of results is chosen.", "Choose a .frd file of CalculiX.")
        path = Path(self.file)
        progress.report(0.0, f"reading {path.name}")
        moves, stresses = _frames_of(path)
        match = _match(body.model, path, self.distance)
        joints = {
            joint.name: {"gap": (len(joint.pairs),), "slip": (len(joint.pairs), 2)} for joint in body.joints
        }
        sizes: dict[str, int | tuple[int, ...]] = {"displacement": 3 * len(body.model.nodes)}
        told = [match.stresses(block) for block in stresses]
        known = np.all([np.isfinite(each).all(axis=1) for each in told], axis=0) if told else None
        if known is not None:
            sizes["stress"] = (len(body.model.nodes), 6)
        keys = [
            key for name in body.interface_nodes for key in output_keys("displacement", "interface", name)[:3]
        ]
        with ResultsWriter(
            target, axis=_AXES.get(moves[0].kind, "load"), body=body.name, sizes=sizes, joints=joints,
            curves=keys, settings=self.model_dump(mode="json"), labels=_labels(moves),
            constants={} if known is None else {"stress_known": known.astype(float)},
        ) as writer:  # fmt: skip
            for i, block in enumerate(moves):
                progress.report(i / len(moves), f"frame {i + 1} of {len(moves)}")
                u = match.displacements(path, block)
                named: dict[str, Any] = {"displacement": u.ravel()}
                if known is not None:
                    named["stress"] = np.where(known[:, None], told[i], 0.0)
                for joint in body.joints:
                    base = path_of("joints", joint.name)
                    named[f"{base}/gap"], named[f"{base}/slip"] = gaps_and_slips(joint.pairs, u)
                ends = [u[node] for node in body.interface_nodes.values()]
                curves = dict(zip(keys, np.ravel(ends).tolist(), strict=True))
                writer.append(block.value, named, curves=curves)
            summary = {
                "frames": writer.n_frames, "stresses": "of the file" if stresses else "of the displacements",
                "nodes_at_the_same_place": match.n_same, "nodes_from_the_nearest": match.n_near,
                "farthest_nearest_node": match.farthest,
            }  # fmt: skip
            writer.close(summary)
        progress.report(1.0, "results of a file")
        return summary


def _frames_of(path: Path) -> tuple[list[FrdBlock], list[FrdBlock]]:
    """Return the displacements of each frame, and the stresses of each; no stresses at all if a frame has none."""
    blocks = read_frd(path, "DISP", "STRESS")
    moves = [block for block in blocks if block.name == "DISP"]
    if not moves:
        raise ReadError(path, None, "there are no displacements in it.", _AGAIN)
    if len({_AXES.get(block.kind, "load") for block in moves}) > 1:
        # Static steps before a modal one are the state about which it vibrates.
        kind = moves[-1].kind
        moves = [block for block in moves if block.kind == kind]
    known = {
        _moment(block): block for block in blocks if block.name == "STRESS" and block.components == _STRESSES
    }
    stresses = [known.get(_moment(block)) for block in moves]
    return moves, [] if None in stresses else [each for each in stresses if each is not None]


def _moment(block: FrdBlock) -> tuple[int, int, float]:
    return block.kind, block.step, block.value


def _labels(moves: list[FrdBlock]) -> tuple[str, ...]:
    """Return labels of vibration modes; none for times and loads, which are labelled by their value."""
    if _AXES.get(moves[0].kind) != "mode":
        return ()
    return tuple(f"mode {i + 1}: f = {block.value:.6g}" for i, block in enumerate(moves))


@dataclass(frozen=True, eq=False)
class _Match:
    """Assignment of the file's nodes to the body's nodes.

    Attributes:
        model: of the body.
        ids: (n_nodes,) number of the file's node at each node of the body; -1 for nodes without elements.
        n_same, n_near: number of nodes with a file node at the same place, and with only a nearest one.
        farthest: largest distance to such a nearest node.
    """

    model: FeModel
    ids: np.ndarray
    n_same: int
    n_near: int
    farthest: float

    def displacements(self, path: Path, block: FrdBlock) -> np.ndarray:
        """Return displacements (n_nodes, 3); reference nodes follow the best rigid motion of their coupled nodes."""
        found = self._of(block)
        lost = np.flatnonzero(np.isnan(found).any(axis=1) & (self.ids >= 0))
        if len(lost):
            raise ReadError(
                path, None, f"the displacements of {len(lost)} nodes are not in it, such as node "
                f"{self.ids[lost[0]]}.", _AGAIN,
            )  # fmt: skip
        for row in np.flatnonzero(self.ids < 0):
            found[row] = self._of_reference(int(row), found)
        return found

    def stresses(self, block: FrdBlock) -> np.ndarray:
        """Return stresses (n_nodes, 6); NaN where the file has none."""
        return self._of(block)

    def _of(self, block: FrdBlock) -> np.ndarray:
        order = np.argsort(block.nodes)
        known = block.nodes[order]
        at = np.minimum(np.searchsorted(known, self.ids), len(known) - 1)
        found = np.asarray(block.values, float)[order[at]].copy()
        found[known[at] != self.ids] = np.nan
        return found

    def _of_reference(self, row: int, displacements: np.ndarray) -> np.ndarray:
        """Return (3,) displacement of a reference node: least-squares rigid motion of the nodes coupled to it."""
        for coupling in self.model.couplings:
            own = coupling.nodes[self.ids[coupling.nodes] >= 0]
            if coupling.reference != row or not len(own):
                continue
            shares = coupling.weights[self.ids[coupling.nodes] >= 0] ** 0.5
            arms = cross_matrices(self.model.nodes[own] - self.model.nodes[row])
            rows = (
                np.concatenate([np.broadcast_to(np.eye(3), arms.shape), arms], axis=2) * shares[:, None, None]
            )
            moved = displacements[own] * shares[:, None]
            return np.asarray(np.linalg.lstsq(rows.reshape(-1, 6), moved.ravel(), rcond=None)[0][:3])
        return np.zeros(3)  # no node is coupled to it


def _match(model: FeModel, path: Path, distance: float) -> _Match:
    """Return the file's nodes at the places of the body's.

    Raises:
        ModelError: when a node with elements has none near it.
    """
    from scipy.spatial import cKDTree  # late: takes long to import

    numbers, places = read_frd_nodes(path)
    ids = np.full(len(model.nodes), -1, np.int64)
    used = np.unique(np.concatenate([np.zeros(0, np.int64), *(b.connectivity.ravel() for b in model.blocks)]))
    found, nearest = cKDTree(places).query(model.nodes[used])
    near, at = np.asarray(found, float), np.asarray(nearest, np.int64)
    size = float(np.ptp(model.nodes[used], axis=0).max())
    same = near <= _SAME_PLACE * size
    # Of several nodes at one place, as at two faces that touch, the one with the same number counts.
    order = np.argsort(numbers)
    by_number = order[np.minimum(np.searchsorted(numbers[order], model.node_ids[used]), len(numbers) - 1)]
    own = numbers[by_number] == model.node_ids[used]
    own &= np.linalg.norm(places[by_number] - model.nodes[used], axis=1) <= _SAME_PLACE * size
    at = np.where(own, by_number, at)
    far = np.flatnonzero(~same & (near > distance))
    if len(far):
        worst = far[near[far].argmax()]
        raise ModelError(
            f"{path.name} has no node at the places of {len(far)} nodes of the body; the nearest one to node "
            f"{model.node_ids[used[worst]]} is {amount(near[worst], 'length')} away.",
            "Take the results of the same mesh, or say how far off nodes may be.",
        )
    ids[used] = numbers[at]
    return _Match(
        model,
        ids,
        int(same.sum()),
        int((~same).sum()),
        float(near.max(initial=0.0)) if (~same).any() else 0.0,
    )
