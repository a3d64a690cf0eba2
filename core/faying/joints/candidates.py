"""Search for joints: regions where parts of a body face each other, found without any named surface."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from faying.errors import FayingError
from faying.fem.bolt_cuts import nodes_of_cuts
from faying.fem.connectivity import connected_parts, part_titles
from faying.fem.facet_names import names_of_facets
from faying.fem.facet_sets import enlarged, facet_parts
from faying.fem.facing import FacingFacets, FacingRegion, facing_regions, find_facing
from faying.fem.model import FeModel
from faying.fem.selections.combined import CombinedSelection
from faying.fem.selections.facing import FacingSelection
from faying.fem.skin import Skin
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from faying.params import unused_name
from faying.progress import PartialProgress, Progress, Silent

LARGEST_ANGLE = 60.0
FEATURE_ANGLE = 30.0
# Parts that touch are as close as the round-off of curved meshes: a share of the usual edge of their facets. The search
# for candidates extends to a multiple of that edge.
_TOUCHING, _FARTHEST = 0.04, 4.0
_RINGS = 1  # of facets added to the master around those that face the slave


def usual_distance(skin: Skin) -> float:
    """Return the distance within which facets of parts that touch face each other, rounded."""
    return float(f"{_TOUCHING * _usual_edge(skin):.3g}")


def farthest_distance(skin: Skin) -> float:
    """Return the largest distance at which a search still makes sense."""
    return _FARTHEST * _usual_edge(skin)


def _usual_edge(skin: Skin) -> float:
    # Of beams alone there is no facet, and nothing to be found at any distance.
    return float(np.sqrt(np.median(skin.areas))) if len(skin.areas) else 0.0


@dataclass(frozen=True, eq=False)
class JointCandidate:
    """A place where two parts could be joined.

    Attributes:
        name: proposed name of the joint.
        parts: numbers of the parts of master and slave (`faying.fem.facet_sets.facet_parts`).
        master, slave: selections that choose its surfaces; the side with the larger facets is the master.
        facets: numbers on the skin of the facets of master and slave that face each other.
        enlarged: these with the rings around them that a side has as the master.
        facet_areas: of all facets of the skin.
        merged: the candidates from which this one was merged; empty for one that the search found.
    """

    name: str
    parts: tuple[int, int]
    master: FacingSelection | CombinedSelection
    slave: FacingSelection | CombinedSelection
    facets: tuple[np.ndarray, np.ndarray]
    enlarged: tuple[np.ndarray, np.ndarray]
    facet_areas: np.ndarray
    merged: tuple["JointCandidate", ...] = ()

    @property
    def surfaces(self) -> tuple[np.ndarray, np.ndarray]:
        """(m,) and (n,) facets that `master` and `slave` choose: the master extends beyond what the slave faces."""
        return self.enlarged[0], self.facets[1]

    @property
    def areas(self) -> tuple[float, float]:
        """Areas of the surfaces of master and slave."""
        master, slave = (float(self.facet_areas[own].sum()) for own in self.surfaces)
        return master, slave

    @property
    def found(self) -> tuple["JointCandidate", ...]:
        """The candidates from which it was merged; itself for one that the search found."""
        return self.merged or (self,)

    @property
    def limits(self) -> tuple[float, float]:
        """Distance and angle (degrees) within which its sides face each other."""
        slaves = [one.slave for one in self.found if isinstance(one.slave, FacingSelection)]
        return max(slave.distance for slave in slaves), max(slave.angle for slave in slaves)

    def swapped(self) -> "JointCandidate":
        """Return the candidate with master and slave exchanged."""
        if self.merged:
            return merged_candidates([one.swapped() for one in self.merged], self.name)
        assert isinstance(self.master, FacingSelection)
        # The rings that give slave nodes at the rim an intersection point always belong to the master.
        master, slave = self.slave.with_(rings=self.master.rings), self.master.with_(rings=0)
        return JointCandidate(
            self.name, self.parts[::-1], master, slave, self.facets[::-1], self.enlarged[::-1], self.facet_areas
        )  # fmt: skip


def merged_candidates(candidates: Sequence[JointCandidate], name: str) -> JointCandidate:
    """Return one candidate with the surfaces of several.

    A candidate is swapped if one of its parts was on the other side so far: where possible, each part is on the master
    or on the slave side only.

    Args:
        candidates: at least one.
        name: name of the merged candidate.
    """
    first = candidates[0]
    turned, masters, slaves = [], {first.parts[0]}, {first.parts[1]}
    for one in candidates:
        master, slave = one.parts
        if (slave in masters and master not in masters) or (master in slaves and slave not in slaves):
            one = one.swapped()
        turned.append(one)
        masters.add(one.parts[0])
        slaves.add(one.parts[1])
    members = tuple(member for one in turned for member in one.found)
    return JointCandidate(
        name, first.parts,
        CombinedSelection(parts=tuple(one.master for one in members)),
        CombinedSelection(parts=tuple(one.slave for one in members)),
        _together([one.facets for one in members]), _together([one.enlarged for one in members]),
        first.facet_areas, members,
    )  # fmt: skip


def _together(facets: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the facets of both sides of several candidates."""
    master, slave = (np.unique(np.concatenate(own)) for own in zip(*facets, strict=True))
    return master, slave


@dataclass(frozen=True)
class CandidateMeasure:
    """Key figures of the contact pairs of a candidate.

    Attributes:
        paired: share of the slave nodes that have a contact pair.
        gaps: smallest and largest initial gap.
        penetration: largest penetration, 0 for none.
    """

    paired: float
    gaps: tuple[float, float]
    penetration: float


# By numbers of two parts: facets of the first that face the second, and of the second that face the first.
FacingParts = dict[tuple[int, int], tuple[FacingFacets, FacingFacets]]


def facing_parts(
    model: FeModel,
    skin: Skin,
    distance: float,
    hidden: frozenset[int] = frozenset(),
    progress: Progress | None = None,
) -> FacingParts:
    """Return the facets with which the parts of a body face each other, for each two parts close to each other.

    Args:
        model: the body's model.
        skin: its skin.
        distance: largest distance between facing facets; later searches may use smaller ones.
        hidden: numbers of parts that are left out.
        progress: reports and cancels.

    Raises:
        Cancelled: on request.
    """
    progress = progress or Silent()
    progress.report(0.0, "parts")
    labels, _ = facet_parts(model, skin)
    # The faces of a cut bolt are no joint: the bolt itself holds them together.
    outside = ~skin.surface.facets_within(nodes_of_cuts(model))
    parts = {
        int(p): np.flatnonzero((labels == p) & outside)
        for p in np.unique(labels[outside])
        if int(p) not in hidden
    }
    boxes = {}
    for part, facets in parts.items():
        corners = model.nodes[skin.chosen(facets, "part").nodes]
        boxes[part] = corners.min(axis=0), corners.max(axis=0)
    near = [(a, b) for a, b in combinations(parts, 2) if _are_near(boxes[a], boxes[b], distance)]
    found: FacingParts = {}
    for i, (a, b) in enumerate(near):
        share = PartialProgress(progress, i / len(near), (i + 1) / len(near), f"parts {a + 1} and {b + 1}")
        first, second = (
            find_facing(model, skin, parts[p], parts[q], distance, LARGEST_ANGLE, share)
            for p, q in ((a, b), (b, a))
        )
        found[a, b] = (first, second)
    return found


_Box = tuple[np.ndarray, np.ndarray]


def _are_near(first: _Box, second: _Box, distance: float) -> bool:
    """Return whether two boxes, given by lowest and highest corner, are within a distance of each other."""
    return bool((first[0] - distance <= second[1]).all() and (second[0] - distance <= first[1]).all())


class JointSearch:
    """Finds joint candidates for any limits up to those with which the facing facets were found.

    Args:
        model: the body's model.
        skin: its skin.
        facing: the facing facets of its parts (`facing_parts`).
    """

    def __init__(self, model: FeModel, skin: Skin, facing: FacingParts) -> None:
        self._model, self._skin, self._facing = model, skin, facing
        self._titles: list[str] = []

    @classmethod
    def of(
        cls,
        model: FeModel,
        skin: Skin,
        distance: float,
        hidden: frozenset[int] = frozenset(),
        progress: Progress | None = None,
    ) -> "JointSearch":
        """Find the facing facets and return a search over them; arguments and errors as of `facing_parts`."""
        return cls(model, skin, facing_parts(model, skin, distance, hidden, progress))

    def candidates(self, distance: float, angle: float = 30.0) -> tuple[JointCandidate, ...]:
        """Return the candidates within a distance and an angle in degrees, by parts, the largest first.

        They are named by their parts; several between the same parts are numbered.
        """
        found: list[JointCandidate] = []
        taken: set[str] = set()
        for (a, b), (first, second) in self._facing.items():
            near = first.within(distance, angle), second.within(distance, angle)
            for region in facing_regions(self._skin, *near, FEATURE_ANGLE):
                found.append(self._candidate((a, b), region, distance, angle, taken))
                taken.add(found[-1].name)
        return tuple(found)

    def title(self, parts: tuple[int, int]) -> str:
        """Return both parts of a joint by their names: "upper plate / lower plate"."""
        if not self._titles:
            labels, _ = connected_parts(self._model, couplings=False)
            self._titles = part_titles(self._model, labels)
        return " / ".join(self._titles[part] for part in parts)

    def measure(self, candidate: JointCandidate) -> CandidateMeasure | None:
        """Return key figures of a candidate's contact pairs; None when there are no pairs."""
        master, slave = (
            self._skin.chosen(own, role)
            for own, role in zip(candidate.surfaces, ("master", "slave"), strict=True)
        )
        distance, angle = candidate.limits
        search = SearchSpec(distance=distance, angle=angle)
        try:
            pairs = find_contact_pairs(self._model.nodes, master, slave, search, blocks=self._model.blocks)
        except FayingError:
            return None
        gaps = pairs.initial_gaps
        return CandidateMeasure(
            len(pairs) / (len(pairs) + pairs.n_unpaired),
            (float(gaps.min()), float(gaps.max())),
            float(np.maximum(-gaps, 0.0).max()),
        )

    def _candidate(
        self, parts: tuple[int, int], region: FacingRegion, distance: float, angle: float, taken: set[str]
    ) -> JointCandidate:
        sides = [(parts[0], region.first), (parts[1], region.second)]
        # Contact is evaluated at the slave's nodes, so the side with the smaller facets is the slave.
        sides.sort(key=lambda side: -float(np.median(self._skin.areas[side[1]])))
        (master_part, master), (slave_part, slave) = sides
        names = [names_of_facets(self._model, self._skin, side[:1])[0] for side in (master, slave)]
        selections = [
            FacingSelection(
                element=own[0], face=own[1], other_element=other[0], other_face=other[1],
                distance=distance, angle=angle, feature_angle=FEATURE_ANGLE, rings=rings,
            )
            for own, other, rings in ((names[0], names[1], _RINGS), (names[1], names[0], 0))
        ]  # fmt: skip
        name = unused_name(self.title((master_part, slave_part)), taken)
        with_rings = [enlarged(self._skin, side, _RINGS, FEATURE_ANGLE) for side in (master, slave)]
        return JointCandidate(
            name, (master_part, slave_part), selections[0], selections[1], (master, slave),
            (with_rings[0], with_rings[1]), self._skin.areas,
        )  # fmt: skip
