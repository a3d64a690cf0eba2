"""Which other analyses' curves lie over those of an analysis: a button with a menu of switches."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from faying.analyses import Analysis
from faying.results.curves import is_measured
from faying.results.results import Results
from faying_app.context import Context


class LaidOverButton(QPushButton):
    """Opens the switches; measured points of the same body are on at first.

    `changed` tells that one was used.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__("Others", parent)
        self.setToolTip("Lay curves of other analyses over these: measured points, other backbones, decays")
        self._context = context
        self._switched: dict[tuple[str, str], bool] = {}
        self._offered: tuple[str, tuple[str, ...]] = ("", ())
        self.setMenu(QMenu(self))

    def reset(self) -> None:
        """Forget what was switched."""
        self._switched.clear()
        self._offered = ("", ())
        self.menu().clear()

    def others(self, analysis: Analysis) -> dict[str, Results]:
        """Return the results that are laid over those of an analysis, by name; offers all that may be."""
        found = {
            other.name: results
            for other in self._context.project.analyses
            if other.name != analysis.name
            and other.owner == analysis.owner
            and (results := self._context.computed.results(other.name)) is not None
        }
        on = [
            name
            for name, results in found.items()
            if self._switched.get((analysis.name, name), is_measured(results))
        ]
        self._offer(analysis.name, tuple(found), on)
        return {name: found[name] for name in on}

    def _offer(self, analysis: str, names: tuple[str, ...], on: Sequence[str]) -> None:
        self.setEnabled(bool(names))
        if self._offered == (analysis, names):
            return
        self._offered = analysis, names
        self.menu().clear()
        for name in names:
            action = QAction(name, self.menu())
            action.setCheckable(True)
            action.setChecked(name in on)
            action.toggled.connect(lambda checked, name=name: self._switch(analysis, name, checked))
            self.menu().addAction(action)

    def _switch(self, analysis: str, name: str, on: bool) -> None:
        self._switched[analysis, name] = on
        self.changed.emit()
