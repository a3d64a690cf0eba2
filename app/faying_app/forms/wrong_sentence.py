"""Why a value was refused: a note over the form next to its editor, so that no row moves."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QWidget

_LEAST_WIDTH = 180
_GAP = 2  # between editor and slip
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.LayoutRequest)


class WrongSentence(QLabel):
    """Stands below its editor, above it where there is no room or where it would lie on the field in use.

    It is shown when a value is refused and while the next field has the focus; then it is hidden until focus or
    pointer are on its editor again. At most one is shown on a page. Clicks go through it, and screen readers read it
    as the description of the editor.

    Args:
        editor: that the sentence is about.
    """

    def __init__(self, editor: QWidget) -> None:
        form = editor.parentWidget()
        assert form is not None
        super().__init__(form)
        self._editor, self._form, self._page = editor, form, form
        self._stands = self._is_orphan = False
        self.setProperty("role", "wrong_sentence")
        self.setWordWrap(True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._later = QTimer(self)  # a requested layout is done by then
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._place)
        editor.destroyed.connect(self._leave)

    def tell(self, sentence: str) -> None:
        """Say why the value is refused; "" once it is right."""
        before = self.text()
        self.setText(sentence)
        for widget in (self._editor, self._editor.focusProxy()):
            if widget is not None:
                widget.setAccessibleDescription(sentence)
        if sentence and not before:
            self._lie_on_page()
            self._editor.installEventFilter(self)
            _application().focusChanged.connect(self._follow_focus)
        elif before and not sentence:
            self._editor.removeEventFilter(self)
            _application().focusChanged.disconnect(self._follow_focus)
        self._stand(bool(sentence))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the editor when the form moves it, and stay while the pointer is on it."""
        kind = event.type()
        if kind in _MOVES or (watched is self._editor and kind in (QEvent.Type.Show, QEvent.Type.Hide)):
            self._later.start(0)
        elif watched is self._editor and kind == QEvent.Type.Enter:
            self._stand(True)
        elif watched is self._editor and kind == QEvent.Type.Leave:
            self._stand(not self._is_elsewhere(QApplication.focusWidget()))
        return False

    def _leave(self) -> None:
        """Disappear with the editor: its field may lose the focus after it is gone, and must then show nothing."""
        if self.text():
            _application().focusChanged.disconnect(self._follow_focus)
        self._is_orphan = True
        self.deleteLater()

    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if self._is_mine(new):
            self._stand(True)
        elif self._is_elsewhere(new) and not self._is_mine(old):
            self._stand(False)
        else:
            self._place()

    def _is_mine(self, widget: QWidget | None) -> bool:
        return widget is not None and (widget is self._editor or self._editor.isAncestorOf(widget))

    def _is_elsewhere(self, widget: QWidget | None) -> bool:
        """Return whether a widget is another one of this page."""
        return widget is not None and self._page.isAncestorOf(widget) and not self._is_mine(widget)

    def _stand(self, stands: bool) -> None:
        self._stands = stands and bool(self.text())
        if self._stands:
            for other in self._page.findChildren(WrongSentence):
                if other is not self:
                    other._stand(False)
        self._place()

    def _lie_on_page(self) -> None:
        """Become a child of what scrolls, or of the window: a slip in an inner form would be cut at its edge."""
        page = self._form
        while not page.isWindow() and (above := page.parentWidget()) is not None:
            if isinstance(above.parentWidget(), QAbstractScrollArea):
                break
            page = above
        if page is not self._page:
            self._page = page
            self.setParent(page)
        page.installEventFilter(self)

    def _place(self) -> None:
        if self._is_orphan:
            return
        page, editor = self._page, self._editor
        self.setVisible(self._stands and editor.isVisibleTo(page))
        if self.isHidden():
            return
        at = QRect(editor.mapTo(page, QPoint(0, 0)), editor.size())
        left = max(min(self._form.mapTo(page, QPoint(0, 0)).x(), at.right() - _LEAST_WIDTH), 0)
        width = min(max(at.right() - left, _LEAST_WIDTH), page.width() - left)
        height = self.heightForWidth(width)
        below = QRect(left, at.bottom() + _GAP, width, height)
        above = QRect(left, at.top() - _GAP - height, width, height)
        seen = page.visibleRegion().boundingRect()
        used = QApplication.focusWidget()
        taken = QRect()
        if used is not None and self._is_elsewhere(used):
            taken = QRect(used.mapTo(page, QPoint(0, 0)), used.size())
        fits = (side for side in (below, above) if seen.contains(side) and not side.intersects(taken))
        self.setGeometry(next(fits, below))
        self.raise_()


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
