"""Computed results of the current project: their states, and their values, read lazily from the artifact store."""

import logging
from collections.abc import Callable, Hashable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import numpy as np
from PySide6.QtCore import QObject, Signal

from faying.analyses import Analysis, BodyAnalysis
from faying.analyses.recording.true_fields import TRUE_FIELDS
from faying.errors import FayingError, ModelError
from faying.exporters.earlier import analysis_of, earlier_content, earlier_recipe
from faying.fem.connectivity import connected_parts, part_sizes, part_titles
from faying.fem.facet_sets import facet_parts
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection
from faying.fem.shell_sides import facing_sides
from faying.fem.skin import Skin, find_skin
from faying.fem.surface import Surface
from faying.joints.friction_laws import FrictionLaw
from faying.joints.pairs import ContactPairs
from faying.multibody.assembly import Assembled
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.free_motions import FreeMotion, free_motions
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.system_spec import SystemSpec
from faying.progress import Silent
from faying.project.assembled import assembled_system
from faying.project.bodies import body_without_modes
from faying.project.contact_sides import ContactSide, contact_side
from faying.project.document import Document
from faying.project.file_names import with_absolute_files
from faying.project.friction_laws import friction_laws_of
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.recipe import Recipe
from faying.project.specs import BodySpec, JointSpec, Project
from faying.project.stage import Target, TargetState, target_of
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore, ResultsPlace
from faying.reduction.basis import ReductionBasis
from faying.reduction.body import ReducedBody
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying.results.fields import FieldContext, Kept
from faying.results.mode_shapes import ModeShapes
from faying.results.results import FrameSource, PartResults, Results
from faying.results.true_so_far import TrueOfPart, TrueSoFar
from faying_app.selection import SMOOTH_ANGLE

log = logging.getLogger(__name__)
T = TypeVar("T")
StateKind = Literal["missing", "stale", "ready", "doubtful", "running", "partial", "failed", "blocked"]

STATE_WORDS = {
    "missing": "Not computed yet",
    "stale": "Out of date: computed for earlier decisions, or by an earlier version of the program",
    "ready": "Up to date",
    "doubtful": "Doubtful: up to date, but the numbers cannot be trusted",
    "running": "Being computed",
    "partial": "Interrupted: the frames so far can be shown, and the next run continues from there",
    "failed": "The last run failed",
    "blocked": "Cannot be computed with the present settings",
}


@dataclass(frozen=True)
class Mark:
    """State of something that is computed (up to date, stale, running, …), and why.

    Attributes:
        kind: the state; doubtful results are "ready" too, as they can be shown.
        reasons: sentences that say why it has this state.
        key: of the stored outcome that is shown.
        warnings: why its numbers cannot be trusted.
    """

    kind: StateKind
    reasons: tuple[str, ...] = ()
    key: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def look(self) -> StateKind:
        """State as the window shows it: `kind`, or "doubtful" for a ready result with warnings."""
        return "doubtful" if self.kind == "ready" and self.warnings else self.kind

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences for tooltips: the state, then reasons and warnings."""
        return STATE_WORDS[self.look], *self.reasons, *self.warnings


class Computed(QObject):
    """Answers for the current project; a value that belongs to other decisions is never returned.

    What an earlier version of the program computed is returned while there is nothing newer; it is marked as stale.

    `changed` tells that something was computed, became stale, or a run began or ended; `releasing` that results
    are about to be closed and must not be read any more.
    """

    changed = Signal()
    releasing = Signal()

    def __init__(self, document: Document, store: ArtifactStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self.store = document, store
        self.pipeline = Pipeline(STAGES)
        self.memory = Memory(1e9)
        self._states: dict[Target, TargetState] | None = None
        self._running: frozenset[str] = frozenset()
        self._failures: dict[str, tuple[str, str]] = {}  # sentence and hint by key
        self._opened: dict[tuple[str, bool, int], Results] = {}
        # What was made from a value, by kind and target, then by the value's key, then by what it was made with.
        self._made: dict[tuple[str, Target], dict[str, dict[Any, Any]]] = {}
        self._assembled: dict[str, tuple[tuple[Any, ...], Assembled | FayingError]] = {}  # key, by system
        self._out_of_date: dict[
            tuple[str, str], Any
        ] = {}  # contexts whose files are open, None where one does not fit
        self._seen: dict[
            tuple[str, bool, int], tuple[int, int]
        ] = {}  # state of growing files at the last look
        self._reports: dict[str, dict[str, Any]] = {}  # of finished runs, by key
        self._last: dict[Hashable, tuple[tuple[object, ...], Any]] = {}  # what was made last, by kind

    @property
    def project(self) -> Project:
        """The current project."""
        return self._document.project

    @property
    def base(self) -> Path:
        """Folder from which relative deck paths count."""
        path = self._document.path
        return path.parent if path is not None else Path.cwd()

    def use_store(self, store: ArtifactStore, *, same_project: bool = False) -> None:
        """Read from another store from now on; of the same project, what was made from its values stays."""
        self.release()
        if not same_project:
            self._made.clear()
            self._assembled.clear()
        self.store, self._failures = store, {}
        self.refresh()

    def refresh(self) -> None:
        """Drop the cached states and emit `changed`."""
        self._states = None
        self.changed.emit()

    def release(self) -> None:
        """Close all results files, so that they can be replaced or removed."""
        self.releasing.emit()
        self._last.clear()  # frames among it are closed now
        for results in self._opened.values():
            results.close()
        self._opened.clear()
        self._seen.clear()
        for earlier in self._out_of_date.values():
            if earlier is not None:
                earlier.frames.close()
        self._out_of_date.clear()

    def set_running(self, keys: frozenset[str]) -> None:
        """Mark the keys of what is being computed.

        Files of those that have ended are closed before anybody looks again: all handles of a file in one process share
        what HDF5 remembers of it, so that one that was opened while it grew can hide from the others that it is
        complete.
        """
        if keys != self._running:
            for key in self._running - keys:
                self._let_go(key)
            self._running = keys
            self.refresh()

    def set_failure(self, key: str, sentence: str, hint: str = "") -> None:
        """Remember why something could not be computed, and what to do; "" forgets it."""
        self._failures.pop(key, None)
        if sentence:
            self._failures[key] = sentence, hint

    def state(self, target: Target) -> Mark:
        """Return the state of a target."""
        if self._states is None:
            self._states = self.pipeline.states(self.project, self.store, self.base)
        state = self._states.get(target)
        if state is None:
            return Mark("missing")
        if state.key in self._running:
            return Mark("running", (), state.key)
        if state.status != "ready" and state.key in self._failures:
            return Mark("failed", self._failures[state.key][:1], state.key)
        shows_earlier = bool(state.earlier) and self.pipeline.stages[target.stage].per != "motion"
        return Mark(state.status, state.why, state.earlier if shows_earlier else state.key, state.warnings)

    def standing(self, target: Target) -> Mark:
        """Return the state of a target as it is shown: what a ready result was computed from is not missing.

        Component modes are not kept once the basis has been built from them.
        """
        mark = self.state(target)
        if mark.kind == "missing" and target.stage == "components":
            reduced = self.state(Target("body", target.body))
            return Mark("ready", (), mark.key) if reduced.kind == "ready" else mark
        return mark

    def failures(self) -> list[tuple[Target, str, str]]:
        """Return (target, sentence, hint) of each target that could not be computed for the present decisions."""
        if not self._failures:
            return []
        self.state(Target("", ""))  # so that all states are known
        failed = [(target, self.state(target)) for target in self._states or ()]
        return [(target, *self._failures[mark.key]) for target, mark in failed if mark.kind == "failed"]

    def frames_so_far(self, target: Target) -> int:
        """Return the number of frames of an interrupted run, which the next run continues; 0 in any other state."""
        mark = self.state(target)
        place = self.store.results(mark.key) if mark.kind == "partial" else None
        return 0 if place is None or place.complete else int(place.reached[1])

    def value(self, target: Target) -> Any:
        """Return the value of a target that is up to date, or left by an earlier version of the program; else None."""
        mark = self.state(target)
        if mark.kind not in ("ready", "stale"):
            return None
        if mark.kind == "stale" and mark.key not in self.memory and self.store.has(mark.key):
            with suppress(KeyError, FayingError):  # damaged, or cannot be read now: counts as absent
                self.memory.put(mark.key, self.store.read(mark.key))
        if mark.key in self.memory:
            return self.memory.get(mark.key)
        if mark.kind == "stale":
            return None
        return self.pipeline.value(self.project, target, self.store, self.base, self.memory)

    def model(self, body: str) -> FeModel | None:
        """Return the FE model of a body."""
        found = self.value(Target("model", body))
        return found if isinstance(found, FeModel) else None

    def skin(self, body: str) -> Skin | None:
        """Return the skin of a body's model."""
        model = self.model(body)
        if model is None:
            return None
        return self._once("skin", Target("model", body), lambda: find_skin(model))

    def parts(self, body: str) -> tuple[np.ndarray, int] | None:
        """Return ((n_facets,) part of each facet of a body's skin, number of parts)."""
        model, skin = self.model(body), self.skin(body)
        if model is None or skin is None:
            return None
        return self._once("parts", Target("model", body), lambda: facet_parts(model, skin))

    def smooth_faces(self, body: str) -> np.ndarray | None:
        """Return (n_facets,) a number for each facet of a body's skin, the same within a smooth face."""
        skin = self.skin(body)
        if skin is None:
            return None
        return self._once("smooth faces", Target("model", body), lambda: skin.smooth_faces(SMOOTH_ANGLE))

    def part_names(self, body: str) -> dict[int, tuple[str, str]]:
        """Return (name, size in words) of the connected parts that a body's skin shows; empty when it is not there."""
        model, parts = self.model(body), self.parts(body)
        if model is None or parts is None:
            return {}
        return self._once("part names", Target("model", body), lambda: _part_names(model, parts[0]))

    def part_count(self, body: str) -> int:
        """Return the number of parts of a body that nothing connects, not even couplings; 0 without a model."""
        model = self.model(body)
        if model is None:
            return 0
        return self._once("part count", Target("model", body), lambda: connected_parts(model)[1])

    def part_of_element(self, body: str) -> Callable[[int], str]:
        """Return what names the part that an element of a body belongs to; "" where there is but one, or no model."""
        model = self.model(body)
        if model is None or len(self.part_names(body)) < 2:
            return lambda _element: ""
        return self._once("part of element", Target("model", body), lambda: _part_of_element(model))

    def surface(self, body: str, joint: JointSpec, role: Literal["master", "slave"]) -> Surface | None:
        """Return a joint's surface; None when the model is not there or the selection does not fit it."""
        model, skin = self.model(body), self.skin(body)
        if model is None or skin is None:
            return None
        words = joint.master.model_dump_json(), joint.slave.model_dump_json()
        found = self._once("surface", Target("model", body), lambda: _selected(joint, model, skin), *words)
        return found[role]

    def contact_surface(
        self, body: BodySpec, each: ContactSurfaceSpec
    ) -> tuple[FeModel, Surface] | FayingError | None:
        """Return a body's model and the facets of a contact surface, or why none can be chosen; None without model."""
        model, skin = self.model(body.name), self.skin(body.name)
        if model is None or skin is None:
            return None
        words, target = each.surface.model_dump_json(), Target("model", body.name)
        found = self._once("contact surface", target, lambda: _chosen(each, model, skin), words)
        return found if isinstance(found, FayingError) else (model, found)

    def contact_sides(
        self, system: SystemSpec, contact: PartContactSpec
    ) -> dict[str, ContactSide | FayingError]:
        """Return master and slave of a contact between parts as far as they are known, or why there is none."""
        return {role: self.contact_side(system, getattr(contact, role)) for role in ("master", "slave")}

    def contact_side(self, system: SystemSpec, name: str) -> ContactSide | FayingError:
        """Return the surface that "part.surface" means, or why there is none."""
        return contact_side(self.project, system, name, "the contact", self.contact_surface, self.base)

    def chosen_surface(self, body: str, selection: SurfaceSelection) -> Surface | None:
        """Return the facets that a selection means on a body, None when there is no model or they cannot be chosen."""
        model, skin = self.model(body), self.skin(body)
        if model is None or skin is None:
            return None

        def choose() -> Surface | None:
            with suppress(FayingError):  # a finding says what is wrong with it
                return selection.select(model, skin)
            return None

        return self._once("chosen surface", Target("model", body), choose, selection.model_dump_json())

    def pairs(self, body: str, joint: str) -> ContactPairs | None:
        """Return the contact pairs of a joint."""
        found = self.value(Target("pairs", body, joint))
        return found if isinstance(found, ContactPairs) else None

    def basis(self, body: str) -> ReductionBasis | None:
        """Return the reduction basis of a body."""
        found = self.value(Target("basis", body))
        return found if isinstance(found, ReductionBasis) else None

    def reduced(self, body: str) -> ReducedBody | None:
        """Return the free reduced body."""
        found = self.value(Target("body", body))
        return found if isinstance(found, ReducedBody) else None

    def results(self, analysis: str) -> Results | None:
        """Return the results of an analysis, also those of a running or interrupted one."""
        try:
            spec = self.project.analysis(analysis)
        except ModelError:
            return None
        mark = self.state(target_of(spec))
        found_at = self._place(mark.key) if mark.key else None
        if found_at is None:
            return None
        # A run that continues after an interruption writes another file than the one that was opened.
        place, number = found_at
        known = (mark.key, place.complete, number)
        if known not in self._opened:
            self._let_go(mark.key)
            try:
                self._opened[known] = place.open()
            except FayingError:
                return None
        found = self._opened[known]
        if not place.complete:
            self._follow(known, place, found)
        return found if found.n_frames else None

    def _follow(self, known: tuple[str, bool, int], place: ResultsPlace, results: Results) -> None:
        """Take over the frames that a run has written since the last look; its file is read only when it has changed.

        Many ask in every moment of a run, and each reading takes some milliseconds.
        """
        with suppress(FileNotFoundError):  # the run has just ended
            status = place.path.stat()
            stamp = status.st_mtime_ns, status.st_size
            if stamp != self._seen.get(known):
                self._seen[known] = stamp
                results.refresh()

    def _place(self, key: str) -> tuple[ResultsPlace, int] | None:
        """Return where the results of a key are, and the number of a file that is still written, 0 of complete ones."""
        for _ in range(2):  # a run may end between two looks, and its file gets another name
            place = self.store.results(key)
            if place is None or place.complete:
                return None if place is None else (place, 0)
            with suppress(FileNotFoundError):
                return place, place.path.stat().st_ino
        return None

    def _let_go(self, key: str) -> None:
        """Close files that were opened while they grew."""
        for known in [known for known in self._opened if known[0] == key and not known[1]]:
            self.releasing.emit()
            self._seen.pop(known, None)
            self._opened.pop(known).close()

    def modes_context(self, body: str) -> FieldContext | None:
        """Return the trial vectors of a reduced body as frames."""
        reduced = self.reduced(body)
        if reduced is None:
            return None
        modes = self._once(
            "modes",
            Target("body", body),
            lambda: ModeShapes(reduced, reduced.mode_labels(), mode_values(reduced)),
        )
        return self._context(body, modes, reduced)

    def results_context(self, analysis: str) -> FieldContext | None:
        """Return the frames of an analysis with the reduced body in their frame of reference.

        The name "press (earlier)" gives the out-of-date results of the analysis "press".
        """
        if (out_of_date := analysis_of(self.project, analysis)) is not None:
            return self._earlier_context(out_of_date)
        results = self.results(analysis)
        if results is None:
            return None
        chosen = self.project.analysis(analysis)
        if not isinstance(chosen, BodyAnalysis):
            return None
        if self.state(target_of(chosen)).kind == "stale":
            return self._earlier_context(chosen)  # with the body that it was computed with
        body, preloads = chosen.body, getattr(chosen, "preloads", ())
        if not chosen.needs_reduced:
            return self._context_without_modes(body, results)
        reduced, frame = self.reduced(body), results.frame_of_reference
        if reduced is None:
            return None
        held = self._once(
            "clamped",
            Target("body", body),
            lambda: reduced.clamped_to(frame).preloaded(preloads),
            frame,
            preloads,
        )
        return self._context(body, results, held)

    def reports(self) -> dict[str, dict[str, Any]]:
        """Return the run reports of the analyses whose results are up to date, by name; each is read once."""
        found = {}
        for analysis in self.project.computed_analyses:
            mark = self.state(target_of(analysis))
            if mark.kind == "ready" and (place := self.store.results(mark.key)) is not None:
                if mark.key not in self._reports:
                    with suppress(FayingError), closing(place.open()) as results:
                        self._reports[mark.key] = results.report
                found[analysis.name] = self._reports.get(mark.key, {})
        return found

    def shown_analysis(self, analysis: Analysis) -> Analysis:
        """Return the analysis whose frames are shown: true fields of a body where they are switched on and there."""
        if not isinstance(analysis, BodyAnalysis) or not self.has_true_fields(analysis):
            return analysis
        return self.project.true_fields_of(analysis)[0]

    def has_true_fields(self, analysis: Analysis) -> bool:
        """Return whether true fields of an analysis are switched on, and there for all frames."""
        true = self.project.true_fields_of(analysis)
        return bool(true) and all(self.state(target_of(each)).kind == "ready" for each in true)

    def title_of(self, analysis: Analysis) -> str:
        """Return the name over the frames of an analysis, which says whether they have true fields."""
        return f"{analysis.name}{TRUE_FIELDS}" if self.has_true_fields(analysis) else analysis.name

    def true_fields_so_far(self, analysis: Analysis | None) -> str:
        """Return how many frames of an analysis have true fields, "12 of 201 frames".

        Those of several parts of a system are added up. It is "" where they are switched off, all have them, or there
        are no frames.
        """
        true = self.project.true_fields_of(analysis)
        if analysis is None or not true or self.has_true_fields(analysis):
            return ""
        reduced = self.results(analysis.name)
        if reduced is None:
            return ""
        each = [self.results(correction.name) for correction in true]
        so_far = sum(found.n_frames for found in each if found is not None)
        return f"{so_far} of {len(each) * reduced.n_frames} frames"

    def context_so_far(self, analysis: Analysis, frame: int) -> tuple[bool, FieldContext | None]:
        """Return the frames of an analysis, those with true fields so far as the FE model has them.

        The first value is whether the given frame is one of these; there is another context as soon as it is, since a
        context keeps the last frame that it evaluated.
        """
        found, true = self.results_context(analysis.name), self.project.true_fields_of(analysis)
        so_far = self.results(true[0].name) if true else None
        if found is None or so_far is None:
            return False, found
        there = frame < so_far.n_frames
        frames = cast(Results, found.frames)
        return there, self.last(
            "true fields so far",
            (found, so_far, there),
            lambda: replace(found, frames=cast(FrameSource, TrueSoFar(frames, so_far))),
        )

    def has_earlier(self, analysis: Analysis) -> bool:
        """Return whether there are outdated results of an analysis of a body in addition to newer ones."""
        if not isinstance(analysis, BodyAnalysis) or self.state(target_of(analysis)).kind == "stale":
            return False
        return self._earlier(analysis) is not None

    def _earlier(self, analysis: Analysis) -> Recipe | None:
        return earlier_recipe(self.project, analysis, self.store, self.pipeline, self.base)

    def _earlier_context(self, analysis: Analysis) -> FieldContext | None:
        """Return out-of-date frames with the body of their run; None if they do not fit the present model."""
        recipe, body = self._earlier(analysis), analysis.owner
        if recipe is None:
            return None

        def make() -> FieldContext | None:
            try:
                content = earlier_content(
                    self.project, self.store, analysis, base=self.base, pipeline=self.pipeline,
                    memory=self.memory, progress=Silent(), kept=lambda _: Kept(),
                )  # fmt: skip
            except FayingError as error:
                log.warning("%s", error)
                return None
            model = self.model(body)
            same = model is not None and len(model.nodes) == len(content.model.nodes)
            return content.body_context if same else None

        key = recipe.key, self.state(Target("model", body)).key
        if key not in self._out_of_date:  # until results are released: its file stays open
            self._out_of_date[key] = make()
        found: FieldContext | None = self._out_of_date[key]
        return found

    def _context_without_modes(self, body: str, results: Results) -> FieldContext | None:
        """Return the frames of unreduced results: they hold nodal displacements and need no reduced body."""
        spec, model = self.project.body(body), self.model(body)
        pairs = {joint.name: self.pairs(body, joint.name) for joint in spec.contact_joints}
        known = {name: found for name, found in pairs.items() if found is not None}
        if model is None or len(known) < len(pairs):
            return None
        frame = results.frame_of_reference
        return self._context(body, results, body_without_modes(spec, model, known, frame))

    def true_parts(self, analysis: Analysis) -> dict[str, Results]:
        """Return the true fields of the parts of a system by name, as far as they are there."""
        if self.state(target_of(analysis)).kind == "stale":
            return {}
        true = self.project.true_fields_of(analysis)
        found = {str(getattr(each, "part", "")): self.results(each.name) for each in true}
        return {part: results for part, results in found.items() if results is not None}

    def part_context(
        self, part: FlexiblePartSpec, frames: PartResults, true: Results | None = None
    ) -> FieldContext | None:
        """Return the frames of a flexible part with its body in the part's frame; with true fields as far as given."""
        reduced = self.reduced(part.body)
        if reduced is None:
            return None
        held = self._once(
            "part", Target("body", part.body), lambda: part.reduced_of(reduced), part.frame, part.preloads
        )
        return self._context(part.body, frames if true is None else TrueOfPart(frames, true, held), held)

    def assembled(self, system: SystemSpec) -> Assembled | FayingError | None:
        """Return a system at its start, or why it cannot be put together; None while its bodies are not reduced."""
        bodies = [name for name in system.body_names() if self._is_body(name)]
        key = system, *(self.state(Target("body", name)).key for name in bodies)
        known = self._assembled.get(system.name)
        if known is None or known[0] != key:
            found = self.tried(system)
            if found is None:
                return None
            known = self._assembled[system.name] = key, found
        return known[1]

    def tried(self, system: SystemSpec) -> Assembled | FayingError | None:
        """Return as `assembled` a system that is not decided yet; nothing is kept."""
        reduced = {name: self.reduced(name) for name in system.body_names() if self._is_body(name)}
        there = {name: body for name, body in reduced.items() if body is not None}
        return assembled_system(with_absolute_files(system, self.base), there)

    def motions(self, system: SystemSpec) -> tuple[FreeMotion, ...] | None:
        """Return the motions that are left to a system; None where it cannot be put together, or not yet."""
        at = self.assembled(system)
        if not isinstance(at, Assembled):
            return None
        return self.last(("motions", system.name), (at,), lambda: free_motions(at))

    def _once(self, kind: str, target: Target, make: Callable[[], T], *words: Hashable) -> T:
        """Return what was made from the value of a target before, or make it now.

        Kept for the present value and for the one before, to which one step of undo leads back.

        Args:
            kind: what is made.
            target: of whose value it is made.
            make: makes it.
            words: what else it depends on.
        """
        kept, key = self._made.setdefault((kind, target), {}), self.state(target).key
        if key not in kept:
            for outdated in list(kept)[:-1]:
                del kept[outdated]
            kept[key] = {}
        if words not in kept[key]:
            kept[key][words] = make()
        made: T = kept[key][words]
        return made

    def last(self, kind: Hashable, of: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return what was made from the same values the last time, or make it now; one of each kind is kept.

        Whoever shows it finds from its identity that it is still the same.
        """
        known = self._last.get(kind)
        if known is None or not _same(known[0], of):
            known = self._last[kind] = of, make()
        made: T = known[1]
        return made

    def _is_body(self, name: str) -> bool:
        return any(body.name == name for body in self.project.bodies)

    def _context(self, body: str, frames: Any, reduced: ReducedBody) -> FieldContext:
        spec, model = self.project.body(body), self.model(body)
        found = {j.name: self.pairs(body, j.name) for j in spec.contact_joints}
        known = {name: pairs for name, pairs in found.items() if pairs is not None}
        made_from = frames, reduced, model, spec.contact_joints, spec.strengths, self.base, *known.values()
        kind = "frames of a body", body, id(frames)
        return self.last(kind, made_from, lambda: self._new_context(spec, frames, reduced, model, known))

    def _new_context(
        self,
        spec: BodySpec,
        frames: Any,
        reduced: ReducedBody,
        model: FeModel | None,
        known: dict[str, ContactPairs],
    ) -> FieldContext:
        body, spec = spec.name, with_absolute_files(spec, self.base)
        joints = spec.contact_joints
        friction: dict[str, FrictionLaw | None] = {}
        if model is not None:
            with suppress(ModelError):  # no analysis runs then, and `check` says why; modes can be looked at
                friction = friction_laws_of([j for j in joints if j.name in known], model, known)
        return FieldContext(
            frames,
            reduced,
            {j.name: j.contact_law for j in joints},
            friction,
            known,
            model,
            self._once("fields", Target("model", body), Kept),
            strengths=spec.strengths,
        )


def _same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    """Return whether values are the same, as objects or as decisions."""
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(a is b or (type(a) is type(b) and a == b) for a, b in pairs)


def _chosen(each: ContactSurfaceSpec, model: FeModel, skin: Skin) -> Surface | FayingError:
    """Return the facets of a contact surface, or why none can be chosen."""
    try:
        found: Surface = each.surface.select(model, skin)
    except FayingError as error:
        return error
    return found


def _selected(joint: JointSpec, model: FeModel, skin: Skin) -> dict[str, Surface | None]:
    """Return the surfaces of a joint that fit the model, of shells the sides that face each other."""
    found: dict[str, Surface | None] = {}
    for role in ("master", "slave"):
        try:
            found[role] = getattr(joint, role).select(model, skin)
        except FayingError:
            found[role] = None
    master, slave = found["master"], found["slave"]
    if master is not None and slave is not None:
        found["master"], found["slave"] = facing_sides(model, master, slave)
    return found


def _part_names(model: FeModel, of_facets: np.ndarray) -> dict[int, tuple[str, str]]:
    labels, _ = connected_parts(model, couplings=False)
    titles, sizes = part_titles(model, labels), part_sizes(model, labels)
    return {part: (titles[part], sizes[part]) for part in np.unique(of_facets).tolist()}


def _part_of_element(model: FeModel) -> Callable[[int], str]:
    labels, _ = connected_parts(model, couplings=False)
    titles, order = part_titles(model, labels), np.argsort(model.element_ids)
    ids, of_element = model.element_ids[order], labels[model.first_nodes][order]

    def title(element: int) -> str:
        at = int(np.searchsorted(ids, element))
        return titles[of_element[at]] if at < len(ids) and ids[at] == element else ""

    return title


def mode_values(body: ReducedBody) -> Any:
    """Return (r,) frequencies of the trial vectors; zero for those that have none."""
    import numpy as np

    values = np.zeros(body.n_coordinates)
    values[: len(body.frequencies)] = body.frequencies
    return values
