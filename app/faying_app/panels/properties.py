"""The properties of the selected entity: its state, its parameters as a form, and facts about it."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from faying.params import Spec
from faying.project.paths import value_at
from faying_app.context import Context
from faying_app.entities import analysis_at, counted_entities, exists, is_deck_item, kind_of, title_of
from faying_app.forms.declaration import declared_at
from faying_app.forms.form import SpecForm, shape
from faying_app.forms.host import FormHost
from faying_app.forms.kind_chooser import KindChooser
from faying_app.forms.many_form import ManyForm, ManyHost, kinds_in
from faying_app.forms.pick_button import PickButton, with_button
from faying_app.forms.project_host import ProjectFormHost
from faying_app.forms.suggestion_line import SuggestionLine
from faying_app.item_models.project_tree import STATE_COLOURS
from faying_app.item_models.properties import properties_of, target_of
from faying_app.look.icons import pixmap
from faying_app.look.one_line import OneLine
from faying_app.panels import Panel, panels
from faying_app.panels._system_strip import SystemStrip
from faying_app.selection import EntityPath

# What the tree shows as lines of their own is not repeated in the form of what holds it.
HIDDEN = {
    "project": frozenset({"bodies", "systems", "analyses"}),
    "system": frozenset({"parts", "ground", "constraints", "forces", "measures", "controllers", "events"}),
    "part": frozenset({"markers"}),
    "body": frozenset({"model", "materials", "interfaces", "joints", "reduction", "joint_modes"}),
}
_SUGGESTED = ("bolt", "preload")  # kinds of entities for which something is suggested as a whole
_MIXED = (
    "Entries of different kinds are selected: they can be deleted, duplicated and copied together. Entries of one "
    "kind can be edited together, too."
)
_FACT_LABEL_WIDTH = 110
_WIDEST_FORM = 300  # that a dock makes room for by itself
_ADVICE = {
    "materials": "The deck's own materials are below Model. Here are those that the project gives: to elements "
    "of a mesh without any, or in place of the deck's. Model ▸ Give material.",
    "interfaces": "Interface nodes are where the body is held or loaded. Add one from a node set of the deck: "
    "Model ▸ Add interface node.",
    "joints": "A joint is where two parts of the body touch. Pick a face on each (Ctrl for the second), or let "
    "the deck's surfaces be used: Model ▸ Add joint.",
    "ground": "Markers on ground are points in space that constraints and forces hold on to; “origin” is always "
    "there. Model ▸ System ▸ Add marker.",
    "parts": "Parts move: rigid ones by mass and inertia, flexible ones from a body of the project. "
    "Model ▸ System ▸ Add part.",
    "constraints": "Constraints tie a marker of one part to a marker of another part or of ground: hinges, slides, "
    "prescribed motions. Model ▸ System ▸ Add constraint.",
    "forces": "Forces, springs, dampers, actuators and stops act at markers. Model ▸ System ▸ Add force.",
    "measures": "Measures become curves of every analysis: distances, angles, reactions, formulas. Force elements "
    "have curves without any. Model ▸ System ▸ Add measure.",
    "controllers": "Controllers turn measures into others by states of their own, such as PID. Actuators follow their "
    "outputs as measures. Model ▸ System ▸ Add controller.",
    "events": "An event is a measure that crosses a value, or a time, and what a motion does then: it stops, stores a "
    "frame, releases or activates constraints, switches forces. Model ▸ System ▸ Add event.",
    "analyses": "An analysis computes how the body moves under loads: Model ▸ Add analysis.",
}


@panels.register("properties")
class PropertiesPanel(Panel):
    """A form that is kept while its shape stays the same, so that typing is never interrupted.

    It also moves to another entity of the same shape: another joint is there at once.
    """

    title = "Properties"
    icon = "properties"
    area = "right"
    order = 10

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._host = ProjectFormHost(context)
        self.form: SpecForm | None = None
        self.many: ManyForm | None = None
        self.strip: SystemStrip | None = None
        self._path: EntityPath = ()
        self._shape: Any = None
        self._kind_chooser: KindChooser | None = None
        self._suggestion: SuggestionLine | None = None  # for the entity itself
        self._heading, self._mark = QLabel(self), QLabel(self)
        self._heading.setProperty("role", "title")
        self._heading.setWordWrap(True)
        self._state = OneLine(self)
        self._state.setProperty("role", "muted")
        self._update = QPushButton("Compute", self)
        self._update.clicked.connect(self._compute)
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 10, 0)
        top.addWidget(self._heading, 1)
        top.addWidget(self._update)
        # Button and state come and go while one types: the form below them stays where it is.
        policy = self._update.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._update.setSizePolicy(policy)
        strip = QHBoxLayout()
        strip.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        strip.addWidget(self._state, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 0, 0)
        column.addLayout(top)
        column.addLayout(strip)
        column.addWidget(self._area, 1)
        context.selection.entities_changed.connect(lambda _paths: self.refresh())
        context.changed.connect(self.refresh)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a width at which labels and values are read."""
        return QSize(330, 400)

    def apply_theme(self) -> None:
        """Redraw the state's mark, and the icons of buttons."""
        if self.strip is not None and self.strip.motions is not None:
            self.strip.motions.apply_theme()
        if self.many is None:
            self._show_state(self.context.entity)

    def refresh(self) -> None:
        """Show the selected entity; only its values when the form still fits."""
        project, path = self.context.project, self.context.entity
        if len(self.context.entities) > 1:
            self._refresh_many(self.context.entities)
            return
        self.many = None
        self._heading.setText(title_of(project, path))
        self._show_state(path)
        is_spec = exists(project, path) and not is_deck_item(path)
        value = value_at(project, path) if is_spec else None
        new = (kind_of(path), len(path), self._host.units, shape(value, self._host, path))
        moved, self._path = path != self._path, path
        if new == self._shape and moved and self.form is not None and self.strip is None:
            self._move_to(path)
        elif new != self._shape or moved:
            kept = 0 if moved else self._area.verticalScrollBar().value()
            focused = self.focusWidget()
            name = focused.accessibleName() if focused is not None and focused.hasFocus() else ""
            self._shape = new
            self._build(path, value)
            self._area.verticalScrollBar().setValue(kept)
            if name:
                self._focus(name)
        elif self.form is not None:
            self.form.refresh()
        if self._suggestion is not None:
            self._suggestion.refresh()
        if self.strip is not None and not moved:
            self.strip.refresh()
        self._facts.show_facts(properties_of(self.context, path))

    def _refresh_many(self, paths: tuple[EntityPath, ...]) -> None:
        """Show what several entities share; only its values when the form still fits."""
        self._heading.setText(f"{counted_entities(paths)} selected")
        for widget in (self._mark, self._state, self._update):
            widget.hide()
        kinds = {kind_of(path) for path in paths}
        editable = len(kinds) == 1 and not any(is_deck_item(path) for path in paths)
        values = [value_at(self.context.project, path) for path in paths] if editable else []
        new = (paths, self._host.units, [kinds_in(value) for value in values])
        if new == self._shape:
            if self.many is not None:
                self.many.refresh()
            return
        focused = self.focusWidget()
        name = focused.accessibleName() if focused is not None and focused.hasFocus() else ""
        self._shape, self._path = new, ()
        self._build_many(paths, values)
        if name:
            self._focus(name)

    def _build_many(self, paths: tuple[EntityPath, ...], values: list[Any]) -> None:
        page, column = self._new_page()
        self.form, self.strip, self.many, self._suggestion = None, None, None, None
        host = ManyHost(self._host, paths, counted_entities(paths))
        self._kind_chooser = self._chooser_of(paths[0], values[0], page, host) if values else None
        if self._kind_chooser is not None:
            if len({type(value) for value in values}) > 1:
                self._kind_chooser.show_various()
            column.addWidget(self._kind_chooser)
        if values and all(isinstance(value, Spec) for value in values):
            self.many = ManyForm(host, paths[0], HIDDEN.get(kind_of(paths[0]), frozenset()), page)
            column.addWidget(self.many)
        elif self._kind_chooser is None:
            advice = QLabel(_MIXED, page)
            advice.setWordWrap(True)
            column.addWidget(advice)
        self._show_page(page, column)

    def _move_to(self, path: EntityPath) -> None:
        """Edit another entity of the same kind in the form that is there."""
        focused = self._area.focusWidget()
        if focused is not None and focused.hasFocus():
            focused.clearFocus()  # what is being typed belongs to the former one
        assert self.form is not None
        self.form.move_to(path)
        if self._kind_chooser is not None:
            self._kind_chooser.move_to(path)
        if self._suggestion is not None:
            self._suggestion.move_to(path)
        self._area.verticalScrollBar().setValue(0)

    def _focus(self, name: str) -> None:
        """Go on with the field of that name: one that chose another law by keys is not to begin from the top."""
        widgets = (widget for widget in self._area.findChildren(QWidget) if widget.accessibleName() == name)
        if (found := next(widgets, None)) is not None:
            found.setFocus()

    def _build(self, path: EntityPath, value: Any) -> None:
        page, column = self._new_page()
        self.form, self._suggestion = None, None
        kind = kind_of(path)
        self._kind_chooser = self._chooser_of(path, value, page)
        if self._kind_chooser is not None:
            column.addWidget(self._pickable(self._kind_chooser, path, page))
        self.strip = SystemStrip(self.context, path, page) if SystemStrip.suits(self.context, path) else None
        if self.strip is not None:
            column.addWidget(self.strip)
        if isinstance(value, Spec):
            self.form = SpecForm(value, path, self._host, HIDDEN.get(kind, frozenset()), page)
            self.form.setObjectName("form")
            column.addWidget(self.form)
            if kind in _SUGGESTED:
                self._suggestion = SuggestionLine(path, self._host, page)
                column.addWidget(self._suggestion)
        elif kind in _ADVICE:
            advice = QLabel(_ADVICE[kind], page)
            advice.setWordWrap(True)
            column.addWidget(advice)
        self._show_page(page, column)

    def _new_page(self) -> tuple[QWidget, QVBoxLayout]:
        page = QWidget()
        page.setObjectName("formPage")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 4, 10, 8)
        column.setSpacing(6)
        return page, column

    def _show_page(self, page: QWidget, column: QVBoxLayout) -> None:
        self._facts = _Facts(page)
        column.addWidget(self._facts)
        column.addStretch(1)
        self._area.setWidget(page)
        # Fields that do not fit would be cut at the right: the dock becomes as wide as the form needs, within reason.
        needed = page.minimumSizeHint().width() + self._area.verticalScrollBar().sizeHint().width()
        self._area.setMinimumWidth(min(needed, _WIDEST_FORM))

    def _chooser_of(
        self, path: EntityPath, value: Any, page: QWidget, host: FormHost | None = None
    ) -> KindChooser | None:
        """Return the list of kinds for what is one of several by its declaration: a law, a method, a constraint."""
        if not path or is_deck_item(path):
            return None
        in_list = isinstance(path[-1], int)
        place, name = (path[:-2], path[-2]) if in_list else (path[:-1], path[-1])
        declaration = declared_at(value_at(self.context.project, place), name)
        family = None if declaration is None else declaration.item_family if in_list else declaration.family
        if declaration is None or family is None or isinstance(value, tuple):
            return None
        title = "Kind" if in_list else declaration.title
        return KindChooser(
            title,
            path,
            host or self._host,
            family,
            value,
            optional=declaration.optional and not in_list,
            parent=page,
        )

    def _pickable(self, chooser: KindChooser, path: EntityPath, page: QWidget) -> QWidget:
        """Return the chooser of a kind; that of a surface with the button that picks it."""
        if kind_of(path) != "surface" or self._host.picker(path, "face") is None:
            return chooser
        picker = PickButton("surface", "face", lambda: self._host.picker(self._path, "face"), page)
        return with_button(chooser, picker, page)

    def _show_state(self, path: EntityPath) -> None:
        target = target_of(self.context, path)
        for widget in (self._mark, self._state, self._update):
            widget.setVisible(target is not None)
        if target is None:
            return
        mark = self.context.computed.standing(target)
        self._mark.setPixmap(
            pixmap(f"state_{mark.look}", 18, STATE_COLOURS[mark.look], self.devicePixelRatioF())
        )
        self._state.show_text(" – ".join(mark.sentences), "\n".join(mark.sentences))
        runs = "Go on" if mark.kind == "partial" else "Run"
        self._update.setText(runs if target.stage in ("analysis", "motion", "sweep") else "Compute")
        self._update.setVisible(mark.kind in ("missing", "stale", "partial", "failed"))
        self._update.setEnabled(not self.context.tasks.is_busy if hasattr(self.context, "tasks") else True)

    def _compute(self) -> None:
        target = target_of(self.context, self.context.entity)
        if target is not None and not self.context.window.has_refused_field():
            self.context.tasks.run(f"Compute {target}", [target], self.context.project)
            analysis = analysis_at(self.context.project, self.context.entity)
            if analysis is not None:
                self.context.window.show_panel(self.context.window.panel_of(analysis.kind))


class _Facts(QWidget):
    """A heading and lines of label and text; hidden without facts."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._labels: tuple[str, ...] = ()
        self._texts: list[QLabel] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 6, 0, 0)
        heading = QLabel("Facts", self)
        heading.setProperty("role", "title")
        self._column.addWidget(heading)
        self._lines: QWidget | None = None
        self.hide()

    def show_facts(self, facts: list[tuple[str, str]]) -> None:
        """Show facts; the same labels only get other texts."""
        labels = tuple(label for label, _ in facts)
        if labels != self._labels:
            self._labels = labels
            self._lay_out(labels)
        for widget, (_, text) in zip(self._texts, facts, strict=True):
            widget.setText(text)
        self.setVisible(bool(facts))

    def _lay_out(self, labels: tuple[str, ...]) -> None:
        if self._lines is not None:
            self._column.removeWidget(self._lines)
            self._lines.deleteLater()
        self._lines, self._texts = QWidget(self), []
        grid = QGridLayout(self._lines)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        for row, label in enumerate(labels):
            name, fact = QLabel(label, self._lines), QLabel(self._lines)
            name.setProperty("role", "muted")
            name.setWordWrap(True)
            name.setFixedWidth(_FACT_LABEL_WIDTH)
            name.setAlignment(Qt.AlignmentFlag.AlignTop)
            fact.setWordWrap(True)
            fact.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(name, row, 0)
            grid.addWidget(fact, row, 1)
            self._texts.append(fact)
        self._column.addWidget(self._lines)
