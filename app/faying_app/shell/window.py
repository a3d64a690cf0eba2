"""The main window: holds the 3D view, the docks and the menus, and lets them act on one context."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QPoint, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from faying.cli.manual_page import manual, manual_folder
from faying.errors import FayingError, ModelError, RefusedError
from faying.fem.cad_files import GEOMETRY_ENDINGS
from faying.fem.readers import model_endings
from faying.manual.places import place_of
from faying.multibody.assembly import Assembled
from faying.multibody.free_motions import FreeMotion
from faying.project.recovery import Recoverable, find_recoverable, tidy
from faying_app.context import Context, Vector, counted_findings
from faying_app.forms.form import SpecForm
from faying_app.forms.many_form import ManyForm
from faying_app.look.counts import counted
from faying_app.look.icons import application_icon
from faying_app.look.theme import ThemeChoice, resolve, wear
from faying_app.panels import panels
from faying_app.panels.project import ProjectPanel
from faying_app.scene.viewport import Viewport
from faying_app.selection import EntityPath
from faying_app.session import WindowSession
from faying_app.settings import Settings
from faying_app.shell import cad_meshing, export_dialog
from faying_app.shell.comparison import ResultComparison
from faying_app.shell.crash_guard import CrashGuard
from faying_app.shell.docks import Docks
from faying_app.shell.field_keys import FieldKeys
from faying_app.shell.guide import Guide
from faying_app.shell.hover import Hover
from faying_app.shell.joint_wizard import JointWizard
from faying_app.shell.lasso import Lasso
from faying_app.shell.manual_window import ManualWindow
from faying_app.shell.measuring import Measuring
from faying_app.shell.menus import Menus
from faying_app.shell.palette import Palette
from faying_app.shell.part_mover import PartMover
from faying_app.shell.player import Player
from faying_app.shell.pointer import Pointer
from faying_app.shell.presenter import Presenter, camera_values
from faying_app.shell.problem_dialog import show_problem
from faying_app.shell.recovery_dialog import RecoveryDialog
from faying_app.shell.start_page import StartPage
from faying_app.shell.status_bar import StatusBar
from faying_app.shell.swinging import Swinging
from faying_app.shell.time_bar import TimeBar
from faying_app.shell.units_question import UnitsQuestion
from faying_app.tasks import opening
from faying_app.tasks.file_watch import FileWatch
from faying_app.tasks.leaving import ask_to_cancel, may_leave, what_of_the_run
from faying_app.tasks.questions import Questions
from faying_app.tasks.runner import Task, TaskRunner

_LAYOUT = 4  # raised when the docks change so that a stored state would not fit any more


class MainWindow(QMainWindow):
    """The window of one session. It implements the context's window port."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowIcon(application_icon())
        self.setAcceptDrops(True)
        self.setMinimumSize(900, 600)
        settings = settings or Settings()
        self._worn = wear(_application(), resolve(settings.theme))
        self.context = Context(WindowSession(self), settings, self)
        self.runner = TaskRunner(
            self.context.computed, self._store_places, self, cluster=lambda: settings.cluster
        )
        self.questions = Questions(self.context.computed, self._store_places, self)
        self.context.tasks, self.context.window = self.runner, self
        self.context.questions = self.questions
        self.viewport = Viewport(self)
        self.presenter = Presenter(self.context, self.viewport, self.questions, self)
        self.pointer = Pointer(self.context, self.viewport, self.presenter, self)
        self.hover = Hover(self.context, self.viewport, self.presenter, self)
        self.measuring = Measuring(self.context, self.viewport, self.presenter, self)
        self.joint_wizard = JointWizard(self.context, self.viewport, self.presenter, self)
        self.part_mover = PartMover(self.context, self.viewport, self.presenter, self)
        self.swinging = Swinging(self.context, self.presenter, self)
        self.player = Player(self.context, self)
        self.player.swung.connect(self.presenter.swing)
        self.time_bar = TimeBar(self.context, self.presenter, self.player, self.questions, self)
        self.units_question = UnitsQuestion(self.context, self)
        self.guide = Guide(self.context, self)
        self.start_page = StartPage(self.context, self)
        self._pages = QStackedWidget(self)
        self.views = QSplitter(Qt.Orientation.Horizontal, self)
        self.comparison = ResultComparison(self.context, self.presenter, self.views)
        self._pages.addWidget(_middle(self))
        self._pages.addWidget(self.start_page)
        self.setCentralWidget(self._pages)
        self.docks = Docks(self, self.context)
        self.menus = Menus(self, self.context)
        self.menus.menus["View"].addMenu("Panels").addActions(self.docks.toggles())
        self.menus.mark_mnemonics()
        for kind, action in self.menus.actions.items():
            if action.in_tree:  # what is selected is seen there and in the picture
                self.docks.panels["project"].addAction(self.menus.qt_actions[kind])
                self.viewport.addAction(self.menus.qt_actions[kind])
        self._field_keys = FieldKeys(self)
        self.status = StatusBar(self, self.context, self.runner)
        self.guard = CrashGuard(self)
        self.file_watch = FileWatch(self.context, self)
        self.problems: list[Any] = []
        self.manual: ManualWindow | None = None
        self._arranged = False
        self._checks = QTimer(self, interval=400, singleShot=True)
        self._checks.timeout.connect(self._check)
        self._closing = False  # as soon as what runs has ended
        self._live = QTimer(self, interval=1000)
        self._live.timeout.connect(self.presenter.refresh)
        self._connect()
        self._restore_shape()
        self.presenter.scene.apply_theme(self._worn.dark)  # the rest was made in this theme
        self.comparison.apply_theme(self._worn.dark)
        self._refresh()

    def _connect(self) -> None:
        context = self.context
        context.changed.connect(self._refresh)
        context.bridge.changed.connect(lambda _before, _after: self._checks.start())
        context.bridge.changed.connect(partial(opening.read_again, context))
        context.computed.changed.connect(self._checks.start)
        context.failed.connect(self._problem)
        self.presenter.frames_changed.connect(self._frames_changed)
        self.questions.failed.connect(lambda error: context.say(str(error)))
        self.runner.began.connect(self._began)
        self.runner.ended.connect(self._ended)
        self.runner.paused.connect(lambda _task: self.menus.refresh_soon())
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    # The context's window port -------------------------------------------------------------------------

    @property
    def widget(self) -> QWidget:
        """The parent for dialogs."""
        return self

    def show_panel(self, kind: str) -> None:
        """Bring a panel to the front."""
        self.docks.show(kind)

    def raise_panel(self, kind: str) -> None:
        """Bring a panel to the front of its tabs, unless the user has closed it."""
        if self.docks.docks[kind].toggleViewAction().isChecked():
            self.docks.docks[kind].raise_()

    def panel_of(self, analysis: str) -> str:
        """Return the kind of the panel that shows how an analysis of a kind goes."""
        return next((kind for kind, p in panels.items() if analysis in p.analyses), "run")

    def cancel_task(self) -> None:
        """Stop what is being computed; ask first when much of it would be given up."""
        ask_to_cancel(self.context)

    def has_refused_field(self) -> bool:
        """Take over what is being typed; return whether a field holds a value that was refused, and say which."""
        typing = QApplication.focusWidget()
        if isinstance(typing, QLineEdit) and typing.isModified():
            typing.editingFinished.emit()
        panel = self.docks.panels["properties"]
        forms: list[SpecForm | ManyForm] = [*panel.findChildren(SpecForm), *panel.findChildren(ManyForm)]
        wrong = next((row for form in forms for row in form.rows if row.is_wrong), None)
        if wrong is None:
            return False
        self.show_panel("properties")
        wrong.editor.setFocus()
        field = f"The field “{wrong.declaration.title}” holds a value that was not taken"
        hint = "Correct it, or select another entry of the tree to keep the former value."
        self.context.show_error(ModelError(f"{field}: {wrong.error.text()}", hint))
        return True

    def find_in_tree(self) -> None:
        """Put the cursor into the filter of the project tree."""
        self.docks.show("project")
        tree = self.docks.panels["project"]
        assert isinstance(tree, ProjectPanel)
        tree.begin_filter()

    def show_palette(self) -> None:
        """Let the user find an action by typing."""
        Palette(self.context, self.menus, self.docks, self).open()

    def toggle_below(self) -> None:
        """Show the panels below the view, or their tabs alone."""
        self.docks.open_below(not self.docks.is_open)

    def show_manual(self) -> None:
        """Open the manual at the page of what has the focus."""
        if self.manual is None:
            self.manual = ManualWindow(manual(), manual_folder(), self)
        focus = self.focusWidget()
        around = (
            []
            if focus is None
            else [p for p in self.docks.panels.values() if p is focus or p.isAncestorOf(focus)]
        )
        page, section = place_of(self.context.project, self.context.entity)
        if around and around[0].page:
            page, section = around[0].page, ""
        self.manual.show_page(page, section)
        self.manual.show()
        self.manual.raise_()
        self.manual.activateWindow()

    def rename_selected(self) -> None:
        """Edit the selected entity's name in the tree."""
        self.docks.show("project")
        tree = self.docks.panels["project"]
        assert isinstance(tree, ProjectPanel)
        tree.rename_selected()

    def show_entity_menu(self, position: QPoint) -> None:
        """Show the menu of the selected entity at a place on the screen."""
        self.menus.refresh()
        self._entity_menu = self.menus.entity_menu(self.context.entity_kind, self)
        self._entity_menu.popup(position)

    def show_picked_menu(self, kind: str, position: QPoint) -> None:
        """Show what can be done with the thing that was picked in the 3D view, and below the selected entity's menu."""
        self.menus.refresh()
        self._entity_menu = self.menus.picked_menu(kind, self)
        self._entity_menu.popup(position)

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Put on another theme, and remember it."""
        self.context.settings.theme = choice
        self._dress()

    def play(self, what: str) -> None:
        """Start or stop the animation, or go to another frame."""
        self.player.play(what)

    def swing(self, at: Assembled, motion: FreeMotion) -> None:
        """Let a motion that is left to the shown system swing gently in the view."""
        self.swinging.begin(at, motion)

    def export(self, kind: str) -> None:
        """Ask for a file and write a picture or film of what is shown."""
        export_dialog.export(kind, self.context, self.presenter)

    def mesh_cad(self, path: Path) -> None:
        """Ask how a CAD file is to be meshed, mesh it, and import the deck."""
        cad_meshing.mesh_cad(self.context, path)

    def run_panel(self, kind: str) -> None:
        """Bring a panel to the front and let it do what it is for."""
        self.docks.show(kind)
        self.docks.panels[kind].run()

    def draw_lasso(self, done: Callable[[list[Vector], Vector], None]) -> None:
        """Let the user draw an outline over the 3D view."""
        if self.viewport.view is not None:
            Lasso(self.viewport.view, self.presenter.scene.camera, done)

    def edit_law(self, path: EntityPath) -> None:
        """Open the law editor, or bring the one that is open already to the front."""
        from faying_app.law_editor.dialog import (
            LawEditor,  # late: few sessions open it, and it takes long to load
        )

        LawEditor.open_at(self.context, path, self)

    # Start and end -------------------------------------------------------------------------------------

    def open_path(self, path: Path) -> None:
        """Open a file that was named at the start or dropped."""
        opening.open_path(self.context, path)

    def offer_recovery(self) -> RecoveryDialog | None:
        """Offer sessions that ended without saying so; return the dialog if there are any."""
        tidy()
        lost = find_recoverable()
        if not lost:
            return None
        self._recovery = RecoveryDialog(lost, self)
        self._recovery.chosen.connect(self.recover)
        self._recovery.open()
        return self._recovery

    def recover(self, lost: Recoverable) -> None:
        """Go on with a lost session."""
        opening.recover(self.context, lost)

    def keep_view(self) -> None:
        """Write the camera into the view state, and the view state into the session."""
        self.context.view.set(camera=camera_values(self.presenter.scene.camera))
        self.context.session.view = self.context.view.write()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, then end everything in order: child, 3D view, session."""
        self.keep_view()
        wish = what_of_the_run(self.context)
        if wish == "end":  # its last frames are to be in the folder before anybody asks whether to save them
            self.runner.cancel()
        self._closing = wish in ("end", "wait")
        if wish != "leave" or not may_leave(self.context):
            event.ignore()
            return
        for timer in (self._checks, self._live):
            timer.stop()
        self.context.view.set_playing(False)
        self.context.settings.write_shape("geometry", self.saveGeometry())
        self.context.settings.write_shape(f"state{_LAYOUT}", self.saveState(_LAYOUT))
        self.context.settings.write_shape(
            f"below{_LAYOUT}", QByteArray(b"open" if self.docks.is_open else b"shut")
        )
        self.context.settings.save()
        self.runner.close()
        self.questions.close()
        self.context.computed.release()
        self.comparison.close()
        self.viewport.close()
        self.context.session.close()
        self.guard.remove()
        super().closeEvent(event)

    def end_at_once(self) -> bool:
        """End what runs and keep what is in no file for the next start, without a question.

        The window itself stays open: the caller (a signal) ends the process.

        Returns:
            Whether anything was kept.
        """
        self.keep_view()
        self.context.settings.save()
        self.runner.close()  # its last frames are in the folder now
        self.questions.close()
        return self.context.session.leave(self.context.computed.pipeline)

    # Drag and drop -------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take projects, studies and decks."""
        if _dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped, after the drop has ended."""
        path = _dropped(event)
        if path is not None:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, lambda: self.open_path(path))

    # Following changes ---------------------------------------------------------------------------------

    def _refresh(self) -> None:
        document = self.context.document
        name = document.path.name if document.path is not None else self.context.project.name
        self.setWindowTitle(f"{name}[*] – Faying")
        self.setWindowModified(self.context.session.is_modified)
        empty = not self.context.project.bodies and not self.context.project.systems
        if self._pages.currentIndex() != int(empty):
            if empty:
                self.start_page.refresh()
            self._pages.setCurrentIndex(int(empty))
        self.menus.refresh()

    def _began(self, task: Task) -> None:
        self._live.start()
        self.menus.refresh_soon()

    def _check(self) -> None:
        """Run the checks; before, choose the surfaces of joints one by one, so that the window answers meanwhile."""
        if not self.context.choose_next_surfaces():
            self.context.refresh_findings()
        elif not self._checks.isActive():  # otherwise something has changed, and it begins again
            QTimer.singleShot(0, self, self._check)

    def _ended(self, task: Task) -> None:
        if not self.runner.is_busy:
            self._live.stop()
            if self._closing:
                self._closing = False
                QTimer.singleShot(0, self, self.close)
        if task.state == "failed" and task.error is not None:
            again = partial(self._try_all_the_same, task) if isinstance(task.error, RefusedError) else None
            self._problem(task.error, task.details, again)
        elif task.state == "done":
            self.context.refresh_findings()
            found = self.context.findings_of(task.targets)
            told = f", with {counted_findings(found)}: see Findings." if found else "."
            self.context.say(f"{task.label}: done{told}")
        elif task.state == "cancelled":
            self.context.say(f"{task.label}: cancelled. {self._what_stays(task)}")
        self.menus.refresh_soon()

    def _what_stays(self, task: Task) -> str:
        """Return a sentence on what a cancelled computation has kept, and how it continues."""
        for target in task.targets:
            frames = self.context.computed.frames_so_far(target)
            if frames:
                return f"Its {counted(frames, 'frame')} stay; Run (F5) continues from the last one."
        return "What was finished stays."

    def _frames_changed(self) -> None:
        if "curves" in self.docks.panels:
            self.docks.panels["curves"].refresh()

    def _problem(
        self, error: FayingError, details: str, all_the_same: Callable[[], None] | None = None
    ) -> None:
        self.problems = [box for box in self.problems if box.isVisible()]
        self.problems.append(show_problem(error, details, self, all_the_same))

    def _try_all_the_same(self, task: Task) -> None:
        """Run a computation that was refused for lack of memory, and those that were to follow it."""
        rest = task.targets[task.at :]
        self.runner.run(task.label, rest, task.project, task.done, restart=task.restart, all_the_same=True)

    def _scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        # No lambda: one that the application's own signal holds would keep this window for ever.
        self._dress()

    def _dress(self) -> None:
        name = resolve(self.context.settings.theme)
        self._worn = wear(_application(), name)
        self.presenter.scene.apply_theme(self._worn.dark)
        self.comparison.apply_theme(self._worn.dark)
        self.menus.apply_theme()
        self.docks.apply_theme()
        self.time_bar.apply_theme()
        self.units_question.apply_theme()
        self.guide.apply_theme()
        self.status.apply_theme()
        self.start_page.refresh()

    def _restore_shape(self) -> None:
        geometry = self.context.settings.read_shape("geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            screen = self.screen().availableGeometry()
            self.resize(min(1440, screen.width() - 40), min(900, screen.height() - 60))

    def showEvent(self, event: QShowEvent) -> None:
        """Arrange the docks when the window has its size; done earlier, Qt leaves stray tab bars behind."""
        super().showEvent(event)
        if not self._arranged:
            self._arranged = True
            QTimer.singleShot(0, self, self._arrange)

    def _arrange(self) -> None:
        settings = self.context.settings
        state, is_open = settings.read_shape(f"state{_LAYOUT}"), settings.read_shape(f"below{_LAYOUT}")
        if state is None or not self.docks.restore(state, _LAYOUT, is_open=is_open == QByteArray(b"open")):
            self.docks.arrange()

    def _store_places(self) -> tuple[Path, Path | None]:
        workspace = self.context.session.workspace
        return workspace.artifacts_folder, workspace.path


def _middle(window: MainWindow) -> QWidget:
    """Return the 3D views with the questions above and the bar below them."""
    middle = QWidget(window)
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    window.views.setChildrenCollapsible(False)
    window.views.addWidget(window.viewport)
    column.addWidget(window.units_question)
    column.addWidget(window.guide)
    column.addWidget(window.views, 1)
    column.addWidget(window.time_bar)
    return middle


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app


def _dropped(event: QDropEvent) -> Path | None:
    files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    endings = (".faying", ".toml", *GEOMETRY_ENDINGS, *model_endings())
    fitting = [path for path in files if path.suffix.lower() in endings]
    return fitting[0] if fitting else None
