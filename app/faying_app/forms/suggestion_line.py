"""A line below a member's parameters: what is suggested for it, and a button that takes it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from faying.errors import FayingError
from faying.project.paths import SpecPath
from faying_app.forms.host import FormHost, Suggestion
from faying_app.forms.wrong_sentence import WrongSentence


class SuggestionLine(QWidget):
    """Hidden while nothing is suggested; without button when the member is as suggested."""

    def __init__(self, path: SpecPath, host: FormHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path, self._host = path, host
        self._suggestion: Suggestion | None = None
        self.text = QLabel(self)
        self.text.setWordWrap(True)
        self.text.setProperty("role", "muted")
        self.button = QPushButton("Take", self)
        self.button.setAutoDefault(False)
        self.button.setAccessibleName("Take what is proposed")
        self.button.setToolTip("Take over what is proposed, as one step.")
        self.button.clicked.connect(self._take)
        self.problem = WrongSentence(self.button)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 0, 4)
        row.addWidget(self.text, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self.refresh()

    def move_to(self, path: SpecPath) -> None:
        """Show what is suggested for the member at another path, from the next refresh on."""
        self._path = path

    def refresh(self) -> None:
        """Show what is suggested now."""
        self._suggestion = self._host.suggestion(self._path)
        self.problem.tell("")
        self.setVisible(self._suggestion is not None)
        if self._suggestion is not None:
            self.text.setText(self._suggestion.text)
            self.button.setVisible(self._suggestion.edit is not None)

    def _take(self) -> None:
        suggestion = self._suggestion
        if suggestion is None or suggestion.edit is None:
            return
        try:
            self._host.apply(suggestion.label, suggestion.edit())
        except FayingError as problem:
            self.problem.tell(str(problem))
