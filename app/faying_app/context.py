"""The context: everything that actions and panels work with, and nothing of how the window is built."""

from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QObject, QPoint, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from faying.errors import FayingError
from faying.exporters.questions import Question
from faying.fem.model import FeModel
from faying.joints.pairs import ContactPairs
from faying.multibody.assembly import Assembled
from faying.multibody.free_motions import FreeMotion
from faying.multibody.system_spec import SystemSpec
from faying.project.checks import CheckedProject, Finding, run_checks
from faying.project.document import Document
from faying.project.file_names import files_read
from faying.project.model_questions import AnyModelQuestion
from faying.project.paths import value_at
from faying.project.recorded import Edit
from faying.project.scope import scope_of
from faying.project.specs import BodySpec, Project
from faying.project.stage import Target
from faying_app.bridge import DocumentBridge
from faying_app.computed import Computed
from faying_app.entities import body_at, exists, kind_of, nearest, place_of_target, system_at
from faying_app.look.theme import ThemeChoice
from faying_app.selection import EntityPath, Selection
from faying_app.session import WindowSession
from faying_app.settings import Settings
from faying_app.view_state import ViewState

Vector = tuple[float, float, float]

# View state that changes with every frame of an animation.
_OFTEN = ("frame", "camera")
_FAILED = "failed run"


def counted_findings(findings: Iterable[Finding]) -> str:
    """Return how many errors and warnings there are: "1 error and 2 warnings"."""
    each = [finding.severity for finding in findings]
    counts = [(each.count(kind), kind) for kind in ("error", "warning") if kind in each]
    return " and ".join(f"{count} {kind}{'s' if count > 1 else ''}" for count, kind in counts)


def _stamps(project: Project, base: Path) -> list[tuple[Path, int, int]]:
    """Return the files that a project reads from, with time and size of those that are there."""
    found = []
    for file in files_read(project, base):
        try:
            status = file.stat()
            found.append((file, status.st_mtime_ns, status.st_size))
        except (OSError, ValueError):  # a check says what is wrong with it
            found.append((file, 0, -1))
    return found


class TaskPort(Protocol):
    """What actions need of the task runner."""

    began: SignalInstance
    progressed: SignalInstance
    ended: SignalInstance
    paused: SignalInstance
    log: list[Any]

    @property
    def is_busy(self) -> bool:
        """Whether something is being computed."""

    @property
    def current(self) -> Any:
        """The running task, None without one."""

    def run(
        self, label: str, targets: list[Target], project: Project, done: Any = None, *, restart: bool = False
    ) -> Any:
        """Compute targets of a frozen project in the background; `done(task)` is called at its end.

        With `restart` interrupted analyses begin at their start instead of going on.
        """

    def cancel(self) -> None:
        """Request the running computation to stop."""

    def pause(self) -> None:
        """Pause the running computation."""

    def go_on(self) -> None:
        """Let it continue."""


class QuestionPort(Protocol):
    """What panels need of the questions about results and models."""

    def ask(self, key: Hashable, question: Question | AnyModelQuestion, then: Callable[[Any], None]) -> bool:
        """Ask in the background, unless this question was cancelled before; `then` is called with the answer."""

    @property
    def changed(self) -> Any:
        """Signal: a question began, got further or ended."""

    @property
    def current(self) -> Question | AnyModelQuestion | None:
        """The question that is being answered."""

    @property
    def fraction(self) -> float:
        """Progress of that question, 0 to 1."""

    @property
    def text(self) -> str:
        """What is being computed for it, in words."""

    def cancel(self) -> None:
        """Give up all questions."""


class WindowPort(Protocol):
    """What actions need of the window."""

    @property
    def widget(self) -> QWidget:
        """The parent for dialogs."""

    def show_panel(self, kind: str) -> None:
        """Bring a panel to the front."""

    def raise_panel(self, kind: str) -> None:
        """Bring a panel to the front of its tabs, unless the user has closed it."""

    def panel_of(self, analysis: str) -> str:
        """Return the kind of the panel that shows the progress of an analysis of this kind."""

    def find_in_tree(self) -> None:
        """Put the cursor into the filter of the project tree."""

    def show_palette(self) -> None:
        """Let the user find an action by typing."""

    def toggle_below(self) -> None:
        """Show the panels below the view, or their tabs alone."""

    def cancel_task(self) -> None:
        """Stop what is being computed; ask first when much of it would be given up."""

    def show_manual(self) -> None:
        """Open the manual at the page of what has the focus."""

    def rename_selected(self) -> None:
        """Edit the selected entity's name in the tree."""

    def show_entity_menu(self, position: QPoint) -> None:
        """Show the menu of the selected entity at a place on the screen."""

    def show_picked_menu(self, kind: str, position: QPoint) -> None:
        """Show the menu of what was picked in the 3D view ("face", "picked_part", …) at a place on the screen."""

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Put on another theme, and remember it."""

    def play(self, what: str) -> None:
        """Start or stop the animation ("toggle"), or go to the "first", "previous", "next" or "last" frame."""

    def swing(self, at: Assembled, motion: FreeMotion) -> None:
        """Let a motion that is left to the shown system swing gently in the view."""

    def export(self, kind: str) -> None:
        """Ask for a file and write a picture or film ("image", "video") of what is shown."""

    def mesh_cad(self, path: Path) -> None:
        """Ask how a CAD file is to be meshed, mesh it, and import the deck."""

    def keep_view(self) -> None:
        """Write the camera into the view state, and the view state into the session."""

    def run_panel(self, kind: str) -> None:
        """Bring a panel to the front and let it do what it is for."""

    def draw_lasso(self, done: Callable[[list[Vector], Vector], None]) -> None:
        """Let the user draw an outline over the 3D view; `done(outline, towards the onlooker)` gets it in space."""

    def edit_law(self, path: EntityPath) -> None:
        """Open the law editor for a joint's law; also for a path that leads to none, to compare laws."""

    def has_refused_field(self) -> bool:
        """Take over what is being typed; return whether a field holds a value that was refused, and say which."""

    def close(self) -> Any:
        """Close the window, asking about unsaved changes."""


class Context(QObject):
    """The document, what was computed, selection, view state, settings; and ports to tasks and window.

    Attributes:
        findings: outcome of the last checks.
        n_frames: frames of what the 3D view shows; 0 when it shows the model.
        shown_extent: (2, 3) least and largest coordinates of what the 3D view shows, None where it shows nothing.
        shown_field: kind of the joint field that is shown, "" for none; `shown_quantity` its physical dimension,
            `shown_values` its values by joint.
        tasks, questions, window: set by the shell when they are there.

    `project_begun` tells that another project takes the place of the former one, of which nothing may stay: what is not
    in the view state (`ViewState.values`, which is replaced as a whole) is to be as in a new window. It comes before
    the new project is shown.

    `first_deck(file name, model)` tells of a deck that begins a project: its units are still to be asked for.
    """

    changed = Signal()
    project_begun = Signal()
    findings_changed = Signal()
    values_changed = Signal()
    extent_changed = Signal()
    said = Signal(str)
    pointed = Signal(str)
    failed = Signal(object, str)
    first_deck = Signal(str, object)

    tasks: TaskPort
    questions: QuestionPort
    window: WindowPort

    def __init__(self, session: WindowSession, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session, self.settings = session, settings
        self.document: Document = session.document
        self.bridge = DocumentBridge(self.document, self)
        self.selection, self.view = Selection(self), ViewState(self)
        self.computed = Computed(self.document, session.store, self)
        self.findings: list[Finding] = []
        self._checked: tuple[tuple[Any, ...], list[Any], CheckedProject] | None = None
        self._chosen: dict[tuple[Any, ...], tuple[Any, Any]] = {}  # surfaces for the next checks
        self._counted_in: dict[Target, str] = {}  # keys of what selected facets and rows are numbers in
        self.n_frames = 0
        self.shown_extent: np.ndarray | None = None
        self.shown_field = self.shown_quantity = ""
        self.shown_values: dict[str, np.ndarray] = {}
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._settle)
        for signal in (
            self.selection.pairs_changed, self.selection.faces_changed, self.selection.sides_changed,
            self.selection.proposed_changed, self.selection.marked_changed,
        ):  # fmt: skip
            signal.connect(self._note_keys)
        self.bridge.changed.connect(self._project_changed)
        self.computed.changed.connect(self._soon.start)
        self.selection.entity_changed.connect(self._selected)
        self.selection.entities_changed.connect(lambda _paths: self._soon.start())
        self.selection.pairs_changed.connect(self._soon.start)
        self.selection.faces_changed.connect(self._soon.start)
        self.selection.sides_changed.connect(self._soon.start)
        self.selection.proposed_changed.connect(self._soon.start)
        self.view.changed.connect(self._view_changed)
        session.trouble.connect(lambda error: self.show_error(error))

    def _view_changed(self, name: str) -> None:
        if name == "plots":
            self.session.view = self.view.write()
            self.session.take_plots(self.view.values.plots, saved=False)
        if name not in _OFTEN:
            self._soon.start()

    @property
    def project(self) -> Project:
        """The current project."""
        return self.document.project

    @property
    def entity(self) -> EntityPath:
        """Path of the selected entity."""
        return self.selection.entity

    @property
    def entities(self) -> tuple[EntityPath, ...]:
        """Paths of all selected entities."""
        return self.selection.entities

    @property
    def entity_kind(self) -> str:
        """Kind of the selected entity."""
        return kind_of(self.selection.entity)

    def selected_body(self) -> BodySpec | None:
        """Return the body that the selection belongs to."""
        return body_at(self.project, self.entity)

    def selected_system(self) -> SystemSpec | None:
        """Return the multibody system that the selection belongs to, else the only one there is."""
        systems = self.project.systems
        return system_at(self.project, self.entity) or (systems[0] if len(systems) == 1 else None)

    def value(self, path: EntityPath) -> Any:
        """Return what is at a path of the project."""
        return value_at(self.project, path)

    def apply(self, label: str, edit: Edit) -> bool:
        """Apply an edit; a refusal is shown to the user. Return whether it was applied."""
        try:
            self.document.apply(label, edit)
        except FayingError as error:
            self.show_error(error)
            return False
        return True

    def show_error(self, error: FayingError, details: str = "") -> None:
        """Show a problem to the user as its sentence and hint."""
        self.failed.emit(error, details)

    def say(self, sentence: str) -> None:
        """Show a sentence in the status bar for a while."""
        self.said.emit(sentence)

    def point_at(self, place: str) -> None:
        """Show in the status bar where the pointer is; "" when it is nowhere."""
        self.pointed.emit(place)

    def choose_next_surfaces(self) -> bool:
        """Choose the surfaces of one joint for the next checks; return whether there was one left to choose."""
        models = {
            body.name: model
            for body in self.project.bodies
            if (model := self.computed.model(body.name)) is not None
        }
        before = self._checked[2].made if self._checked is not None else {}
        skins = {
            ("skin", id(model)): ((model,), skin)
            for name, model in models.items()
            if (skin := self.computed.skin(name)) is not None
        }
        known = {**before, **skins, **self._chosen}
        looked_at = CheckedProject(self.project, self.computed.base, models, known=known)
        chosen = looked_at.choose_next_surfaces()
        self._chosen.update(looked_at.made)
        return chosen

    def refresh_findings(self) -> None:
        """Run the checks on the project and what has been computed; skipped if nothing changed since the last time."""
        models: dict[str, FeModel] = {}
        pairs: dict[tuple[str, str], ContactPairs] = {}
        for body in self.project.bodies:
            model = self.computed.model(body.name)
            if model is not None:
                models[body.name] = model
            for joint in body.contact_joints:
                found = self.computed.pairs(body.name, joint.name)
                if found is not None:
                    pairs[body.name, joint.name] = found
        assembled = {
            system.name: at
            for system in self.project.systems
            if (at := self.computed.assembled(system)) is not None
        }
        base, failures = self.computed.base, self.computed.failures()
        every: list[Any] = [*models.values(), *pairs.values(), *assembled.values()]
        reports = self.computed.reports()
        known = (
            self.project,
            base,
            [id(each) for each in every],
            failures,
            _stamps(self.project, base),
            reports,
        )
        if self._checked is not None and known == self._checked[0]:
            return
        # A law's file that changed on the disk makes another law of it.
        same_files = self._checked is not None and self._checked[0][4] == known[4]
        made = self._checked[2].made if self._checked is not None and same_files else {}
        looked_at = CheckedProject(
            self.project, base, models, pairs,
            assembled=assembled, reports=reports, known={**made, **self._chosen},
        )  # fmt: skip
        self._chosen = {}
        checked = run_checks(looked_at)
        self._checked = known, every, looked_at  # kept, so that nothing else takes their ids
        # The error of a failed run is a finding too, unless a check reports the same.
        said = {finding.sentence for finding in checked}
        failed = [
            Finding("error", place_of_target(self.project, target), why, hint, _FAILED)
            for target, why, hint in failures
            if why not in said
        ]
        self.findings = [*failed, *checked]
        self.findings_changed.emit()

    def findings_of(self, targets: Iterable[Target]) -> list[Finding]:
        """Return the errors and warnings of the last checks that concern what goes into targets.

        Failures of earlier runs are left out: they need not happen again.
        """
        scope = scope_of(self.project, self.computed.pipeline.stages, targets)
        return [f for f in self.findings if f.severity != "note" and f.check != _FAILED and scope.concerns(f)]

    def show_session(self) -> None:
        """Show what the session holds after another project was opened in it."""
        self.computed.use_store(self.session.store)
        self.selection.select_pairs(None)
        self.selection.drop_faces()
        self.selection.drop_sides()
        self.selection.propose(None)
        self.selection.mark(None)
        self.view.set_playing(False)
        self.show_values("", {})
        self.view.read(self.session.view)
        self.session.take_plots(self.view.values.plots, saved=True)
        self.project_begun.emit()
        self.selection.select(nearest(self.project, tuple(self.view.values.selected)))
        self.bridge.changed.emit(self.project, self.project)

    def show_values(self, field: str, values: dict[str, np.ndarray], quantity: str = "") -> None:
        """Tell everybody the values of the joint field in the frame that is shown now, and their dimension."""
        self.shown_field, self.shown_quantity, self.shown_values = field, quantity, values
        self.values_changed.emit()

    def show_extent(self, extent: np.ndarray | None) -> None:
        """Announce the least and largest coordinates (2, 3) of what is shown, None for nothing."""
        if not np.array_equal(extent, self.shown_extent):  # type: ignore[arg-type] # None is equal to None alone
            self.shown_extent = extent
            self.extent_changed.emit()

    def folder(self) -> Path:
        """Return the folder where file dialogs begin."""
        return (
            self.document.path.parent if self.document.path is not None else Path(self.settings.last_folder)
        )

    def _project_changed(self, before: Project, after: Project) -> None:
        def names(project: Project) -> tuple[list[str], list[str]]:
            return [body.name for body in project.bodies], [system.name for system in project.systems]

        for old, new in zip(names(before), names(after), strict=True):
            renamed = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
            if len(old) == len(new) and len(renamed) == 1:
                self.view.rename(*renamed[0])
        left = [path for path in self.entities if exists(after, path)]
        entity = nearest(after, self.entity)
        self.selection.select_all(left if entity in left else (entity,), entity)
        self.computed.refresh()
        self._drop_outdated()

    def _selected(self, path: EntityPath) -> None:
        body = self.selected_body()
        if any(body is None or face.body != body.name for face in self.selection.faces):
            self.selection.drop_faces()  # a face of another body is not what the next action is about
        self.view.set(selected=path)
        self._soon.start()

    def _note_keys(self) -> None:
        """Remember which models and contact pairs the facets and rows are numbers in that are selected now."""
        selection = self.selection
        faces = [*selection.faces, *(side.face for side in selection.sides)]
        bodies = {each.body for each in (*faces, selection.proposed, selection.marked) if each is not None}
        targets = [Target("model", body) for body in bodies]
        if selection.pairs is not None:
            targets.append(Target("pairs", selection.pairs.body, selection.pairs.joint))
        known = self._counted_in
        self._counted_in = {t: known[t] if t in known else self.computed.state(t).key for t in targets}

    def _drop_outdated(self) -> None:
        """Forget selected facets and rows that are numbers in models or pairs that are gone, or are others now."""
        selection = self.selection
        gone = [target for target, key in self._counted_in.items() if self.computed.state(target).key != key]
        bodies = [target.body for target in gone if target.stage == "model"]
        if any(face.body in bodies for face in selection.faces):
            selection.drop_faces()
        if any(side.face is not None and side.face.body in bodies for side in selection.sides):
            selection.drop_sides()
        if selection.proposed is not None and selection.proposed.body in bodies:
            selection.propose(None)
        if selection.marked is not None and selection.marked.body in bodies:
            selection.mark(None)
        if any(target.stage == "pairs" for target in gone):
            selection.select_pairs(None)

    def _settle(self) -> None:
        """Emit `changed` once for all changes since the event loop last ran."""
        self._drop_outdated()
        self.changed.emit()
