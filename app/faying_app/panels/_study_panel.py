"""The common part of study panels: choices at the left, a plot and a table, updated while the study runs."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from faying.analyses import Analysis
from faying.results.results import Results
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.panels import Panel
from faying_app.panels._number_table import NumberTableView
from faying_app.panels._table_buttons import nothing_label, table_buttons
from faying_app.plotting.view import PlotView


class StudyPanel(Panel):
    """The results of the selected study; a line while there are none.

    A member makes its widgets, calls `lay_out`, and shows results in `show_study`.

    Attributes:
        study: the class of analyses that it shows.
        nothing: what it says without results.
        table: the results' table without which there is nothing to show.
        plot, view: curves, and the table.
        copy, export: the buttons of the table.
        split: of choices, plot and table.
    """

    area = "bottom"
    study: ClassVar[type[Analysis]]
    nothing: ClassVar[str]
    table: ClassVar[str]

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.plot, self.view = PlotView(self), NumberTableView(context, self.title, self)
        self.copy, self.export = table_buttons(self.view.copy, self.view.export, self)
        self._shown: Any = None

    def lay_out(
        self,
        rows: Iterable[Sequence[QWidget]],
        sizes: tuple[int, int, int],
        stretch: tuple[int, int],
        right: QWidget | None = None,
    ) -> None:
        """Put choices, plot and table side by side, and show what there is.

        Args:
            rows: of widgets at the left, from the top.
            sizes: widths of choices, plot and table.
            stretch: how plot and table share further room.
            right: what has the table in it; None for the table alone.
        """
        side, column = QWidget(self), QVBoxLayout()
        column.setContentsMargins(6, 4, 6, 4)
        column.setSpacing(4)
        for widgets in rows:
            row = QHBoxLayout()
            for widget in widgets:
                row.addWidget(widget)
            column.addLayout(row)
        column.addStretch(1)
        side.setLayout(column)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        for at, (part, share) in enumerate(
            zip((side, self.plot, right or self.view), (0, *stretch), strict=True)
        ):
            self.split.addWidget(part)
            self.split.setStretchFactor(at, share)
        self.split.setSizes(sizes)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.split)
        self._pages.addWidget(nothing_label(self.nothing, self))
        self.context.changed.connect(self.refresh)
        self.refresh()

    def choice(
        self, tip: str, chosen: Callable[[], None], entries: Iterable[tuple[str, ...]] = ()
    ) -> QComboBox:
        """Return a list to choose from, as narrow as the panel makes it.

        Args:
            tip: what is chosen.
            chosen: called after each choice.
            entries: value and title of each, and a tooltip if it has one.
        """
        box = QComboBox(self)
        box.setToolTip(tip)
        box.setAccessibleName(tip)
        box.setMinimumContentsLength(8)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for value, title, *more in entries:
            box.addItem(title, value)
            for meaning in more:
                box.setItemData(box.count() - 1, meaning, Qt.ItemDataRole.ToolTipRole)
        box.activated.connect(lambda _index: chosen())
        return box

    def sizeHint(self) -> QSize:
        """Return a height at which the plot is read."""
        return QSize(600, 190)

    def refresh(self) -> None:
        """Show the selected study as far as it was computed."""
        study = analysis_at(self.context.project, self.context.entity)
        results = self.context.computed.results(study.name) if isinstance(study, self.study) else None
        if results is None or self.table not in results.table_names:
            self._pages.setCurrentIndex(1)
            self._shown = None
            return
        self._pages.setCurrentIndex(0)
        units = self.context.project.units
        shown = (study, id(results), len(results.frames_there), results.complete, units)
        if shown != self._shown:
            self._shown = shown
            self.show_study(study, results)

    @abstractmethod
    def show_study(self, study: Any, results: Results) -> None:
        """Show a study of the panel's class and what there is of its results."""
