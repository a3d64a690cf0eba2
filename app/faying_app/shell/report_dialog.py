"""Data of a report in addition to the project: author, revision, paper, logo and template."""

from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from faying.exporters.report import PAPERS, ReportTexts
from faying_app.settings import Settings


class ReportDialog(QDialog):
    """Asks once; all but the revision is proposed again for the next report.

    Args:
        settings: keep the words.
        parent: the window.
    """

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Write report")
        self._settings, known = settings, settings.report_texts
        self.author, self.revision = QLineEdit(known.get("author", ""), self), QLineEdit(self)
        self.paper = QComboBox(self)
        self.paper.addItems(PAPERS)
        self.paper.setCurrentText(known.get("paper", PAPERS[0]))
        self.logo, logo = self._file(known.get("logo", ""), "Logo", "Pictures (*.png *.jpg *.jpeg *.svg)")
        self.template, template = self._file(
            known.get("template", ""), "Template", "Web pages (*.html *.htm)"
        )
        self.template.setToolTip(
            "A page that contains $title, $sections, …; faying report --write-template writes the default one"
        )
        self.paths = QCheckBox("Say where the files of decks are", self)
        form = QFormLayout()
        for title, row in (
            ("Author", self.author), ("Revision", self.revision), ("Paper for print", self.paper), ("Logo", logo),
            ("Template", template), ("", self.paths),
        ):  # fmt: skip
            form.addRow(title, row)
        button = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(button.Ok | button.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(buttons)

    def _file(self, known: str, title: str, kinds: str) -> tuple[QLineEdit, QHBoxLayout]:
        line, choose, row = QLineEdit(known, self), QToolButton(self), QHBoxLayout()
        line.setPlaceholderText("none")
        line.setAccessibleName(title)
        choose.setText("…")
        choose.setToolTip(f"Choose the file: {title.lower()}")

        def ask() -> None:
            if chosen := QFileDialog.getOpenFileName(self, title, "", kinds)[0]:
                line.setText(chosen)

        choose.clicked.connect(ask)
        row.addWidget(line, 1)
        row.addWidget(choose)
        return line, row

    def accept(self) -> None:
        """Keep the words for the next report."""
        self._settings.report_texts = {
            "author": self.author.text(), "paper": self.paper.currentText(), "logo": self.logo.text(),
            "template": self.template.text(),
        }  # fmt: skip
        super().accept()

    @property
    def words(self) -> ReportTexts:
        """What was chosen."""
        logo, template = self.logo.text().strip(), self.template.text().strip()
        return ReportTexts(
            self.author.text().strip(), self.revision.text().strip(), self.paper.currentText(),
            Path(logo) if logo else None, Path(template) if template else None, self.paths.isChecked(),
        )  # fmt: skip
