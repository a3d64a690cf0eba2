"""Asking for a picture or a film, and writing it with progress and cancel."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressDialog,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from faying.atomic import replacing
from faying.errors import Cancelled, FayingError
from faying.exporters import ExportContent, ExportSettings, exporter_for
from faying.exporters.report import Report, ReportTexts
from faying.plot import Plot
from faying_app.context import Context
from faying_app.entities import analysis_at, body_at
from faying_app.look.theme import current_theme
from faying_app.output_file import Kinds, ask_for_output, writing
from faying_app.scene.camera import DIRECTIONS
from faying_app.scene.film import film_steps
from faying_app.scene.film_timing import Shot
from faying_app.scene.page import AS_SHOWN, opened_page
from faying_app.shell.presenter import Presenter
from faying_app.shell.report_dialog import ReportDialog

_KINDS: dict[str, Kinds] = {
    "image": [("Pictures", (".png",)), ("Drawings for print", (".svg",)), ("Pages for print", (".pdf",))],
    "video": [("Films", (".mp4",)), ("Animated pictures", (".gif",))],
    "data": [("Meshes and fields for ParaView", (".vtkhdf",)), ("Tables", (".csv",))],
    "report": [("Reports", (".html", ".htm")), ("Pages for print", (".pdf",))],
}
_MOST_PIXELS = 16384  # of a side
_SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))


class ExportDialog(QDialog):
    """How a picture or film is to look.

    Args:
        film: whether it is a film.
        view_size: of the 3D view in pixels.
        n_frames: of what is shown; fewer than two have no choice of frames.
        has_curves: whether there are curves to be drawn under it.
        swings: whether a shape swings instead of frames that follow each other.
        parent: the window.
    """

    def __init__(
        self, *, film: bool, view_size: tuple[int, int], n_frames: int, has_curves: bool = False,
        swings: bool = False, parent: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle("Export video" if film else "Export image")
        self._film, self._n_frames, self._view_size = film, n_frames, view_size
        self._form = QFormLayout()
        self._size_rows()
        self._look_rows()
        if film:
            self._film_rows(plays=not swings and n_frames > 1)
        self.curves.setVisible(has_curves)
        self._form.setRowVisible(self.curves, has_curves)
        button = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(button.Ok | button.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(self._form)
        column.addWidget(buttons)

    def _size_rows(self) -> None:
        self.size_box = QComboBox(self)
        for size in (self._view_size, *_SIZES):
            name = "as on the screen, " if size == self._view_size else ""
            self.size_box.addItem(f"{name}{size[0]} × {size[1]} pixels", size)
        self.size_box.addItem("another size in pixels", "pixels")
        if not self._film:
            self.size_box.addItem("on paper, in millimetres", "mm")
        self._form.addRow("Size", self.size_box)
        self.width_box, self.height_box, self.dpi = (QSpinBox(self) for _ in range(3))
        for box, value in ((self.width_box, 1600), (self.height_box, 900)):
            box.setRange(16, 16384)
            box.setValue(value)
        self.dpi.setRange(72, 1200)
        self.dpi.setValue(300)
        self.dpi.setSuffix(" dpi")
        own = QHBoxLayout()
        own.addWidget(self.width_box)
        own.addWidget(QLabel("×", self))
        own.addWidget(self.height_box)
        own.addWidget(self.dpi)
        self._own_size = QWidget(self)
        own.setContentsMargins(0, 0, 0, 0)
        self._own_size.setLayout(own)
        self._form.addRow("Width × height", self._own_size)
        self.size_box.currentIndexChanged.connect(self._size_chosen)
        self._size_chosen()

    def _size_chosen(self) -> None:
        chosen = self.size_box.currentData()
        self._form.setRowVisible(self._own_size, chosen in ("pixels", "mm"))
        self.dpi.setVisible(chosen == "mm")
        suffix = " mm" if chosen == "mm" else ""
        if self.width_box.suffix() != suffix:
            for box, on_paper, on_screen in ((self.width_box, 85, 1600), (self.height_box, 60, 900)):
                box.setSuffix(suffix)
                box.setValue(on_paper if suffix else on_screen)

    def _look_rows(self) -> None:
        self.views = QListWidget(self)
        self.views.setAccessibleName("Views")
        for title, view in (("as shown", AS_SHOWN), *((name, name) for name in DIRECTIONS)):
            item = QListWidgetItem(title, self.views)
            item.setData(Qt.ItemDataRole.UserRole, view)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if view == AS_SHOWN else Qt.CheckState.Unchecked)
        self.views.setFixedHeight(96)
        self.views.setToolTip("Where the camera is; several views are placed side by side")
        self._form.addRow("Views", self.views)
        self.curves = QCheckBox("Curves below, as in the panel Curves, with a running mark", self)
        self._form.addRow("", self.curves)
        self.title, self.logo = QLineEdit(self), QLineEdit(self)
        self.title.setPlaceholderText("none")
        self.title.setAccessibleName("Title")
        self.logo.setPlaceholderText("none; a .png, .jpg or .svg")
        self.logo.setAccessibleName("Logo")
        choose = QToolButton(self)
        choose.setText("…")
        choose.setToolTip("Choose the file of a logo")
        choose.clicked.connect(self._choose_logo)
        line = QHBoxLayout()
        line.addWidget(self.logo, 1)
        line.addWidget(choose)
        self._form.addRow("Title", self.title)
        self._form.addRow("Logo", line)
        self.style_box, self.font_box = QComboBox(self), QComboBox(self)
        for title, style in (("as on the screen", ""), ("journal: white, without caption", "journal")):
            self.style_box.addItem(title, style)
        for title, font in (("sans", "sans"), ("serif", "serif")):
            self.font_box.addItem(title, font)
        self._form.addRow("Style", self.style_box)
        self._form.addRow("Letters", self.font_box)
        self.transparent = QCheckBox("Leave the background out", self)
        self.slide = QComboBox(self)
        for title, dark in (
            ("as in the window", None),
            ("for light slides", False),
            ("for dark slides", True),
        ):
            self.slide.addItem(title, dark)
        self.slide.setToolTip("Colours of writing and lines")
        self._form.addRow("Colours", self.slide)
        self._form.addRow("", self.transparent)
        self._form.setRowVisible(self.transparent, not self._film)

    def _film_rows(self, *, plays: bool) -> None:
        self.speed, self.every, self.first, self.last, self.repeat, self.turn = (
            QSpinBox(self) for _ in range(6)
        )
        self.speed.setRange(1, 60)
        self.speed.setValue(25)
        self.speed.setSuffix(" frames per second")
        self.every.setRange(1, max(self._n_frames // 2, 1))
        self.every.setPrefix("one frame in ")
        self.every.setSpecialValueText("every frame")
        for box, value in ((self.first, 1), (self.last, self._n_frames)):
            box.setRange(1, max(self._n_frames, 1))
            box.setValue(value)
        self.last.setPrefix("to ")
        self.first.setPrefix("from ")
        self.seconds = QDoubleSpinBox(self)
        self.seconds.setRange(0.0, 3600.0)
        self.seconds.setSpecialValueText("as the frames take")
        self.seconds.setSuffix(" s")
        self.play = QComboBox(self)
        for title, play in (
            ("forwards, endless as a GIF", "loop"),
            ("forwards, once", "once"),
            ("back and forth", "swing"),
        ):
            self.play.addItem(title, play)
        self.repeat.setRange(1, 100)
        self.repeat.setSuffix(" times")
        self.repeat.setSpecialValueText("once")
        self.turn.setRange(-3600, 3600)
        self.turn.setSuffix("°")
        self.turn.setToolTip("How far the camera travels around the model during the film")
        frames = QHBoxLayout()
        for box in (self.first, self.last, self.every):
            frames.addWidget(box)
        row = QWidget(self)
        frames.setContentsMargins(0, 0, 0, 0)
        row.setLayout(frames)
        self._form.addRow("Frames", row)
        self._form.setRowVisible(row, plays)
        self._form.addRow("Speed", self.speed)
        self._form.addRow("Length", self.seconds)
        self._form.addRow("Play", self.play)
        self._form.addRow("Shown", self.repeat)
        self._form.addRow("Turn the camera by", self.turn)

    def _choose_logo(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Logo", "", "Pictures (*.png *.jpg *.jpeg *.svg)")
        if chosen:
            self.logo.setText(chosen)

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        chosen = self.size_box.currentData()
        own = self.width_box.value(), self.height_box.value()
        if chosen == "mm":
            width, height = (max(round(side / 25.4 * self.dpi.value()), 16) for side in own)
            return min(width, _MOST_PIXELS), min(height, _MOST_PIXELS)
        return own if chosen == "pixels" else chosen

    @property
    def frames(self) -> tuple[int, ...]:
        """Numbers of the chosen frames."""
        return tuple(
            range(self.first.value() - 1, max(self.last.value(), self.first.value()), self.every.value())
        )

    def settings(self, shown: ExportSettings) -> ExportSettings:
        """Return the display settings of the content."""
        items = [self.views.item(row) for row in range(self.views.count())]
        chosen = [i.data(Qt.ItemDataRole.UserRole) for i in items if i.checkState() == Qt.CheckState.Checked]
        dark = self.slide.currentData()
        found = replace(
            shown, size=self.pixels, view=",".join(chosen) or AS_SHOWN, title=self.title.text().strip(),
            logo=self.logo.text().strip(), style=self.style_box.currentData(), font=self.font_box.currentData(),
            dpi=self.dpi.value() if self.size_box.currentData() == "mm" else 0,
            dark=shown.dark if dark is None else dark,
        )  # fmt: skip
        if not self._film:
            return replace(found, transparent=self.transparent.isChecked())
        return replace(
            found, frames_per_second=self.speed.value(), seconds=self.seconds.value(), play=self.play.currentData(),
            repeat=self.repeat.value(), turn=float(self.turn.value()),
        )  # fmt: skip


def export(kind: str, context: Context, presenter: Presenter) -> None:
    """Ask for settings and a file, and write a picture, film or table of the content, or a report of the project."""
    if kind in ("data", "report"):
        ask_for_file(kind, context, presenter)
        return
    film = kind == "video"
    parent = context.window.widget
    curves = running_curves(context)
    dialog = ExportDialog(
        film=film, view_size=presenter.scene.size, n_frames=context.n_frames, has_curves=curves is not None,
        swings=presenter.swings, parent=parent,
    )  # fmt: skip
    if dialog.exec() != QDialog.DialogCode.Accepted:
        return
    kinds = _KINDS["video" if film else "image"]
    path = ask_for_output(context, dialog.windowTitle(), context.project.name, kinds)
    if path is None:
        return
    settings = dialog.settings(shown_settings(context, presenter))
    under = curves if dialog.curves.isChecked() else None
    if film:
        frames = (context.view.values.frame,) if presenter.swings else dialog.frames
        write_video(context, presenter, path, replace(settings, frames=frames), under)
    else:
        write_image(context, presenter, path, settings, under)


def shown_settings(context: Context, presenter: Presenter) -> ExportSettings:
    """Return the settings of the 3D view: field, joint, frame, scale, colours and limits set by the user."""
    view = context.view.values
    has_own = view.limits == "user" and view.lowest < view.highest and not presenter.is_mode
    own = (view.lowest, view.highest) if has_own else None
    frame = presenter.scene.content.frame
    if view.limits == "most" and frame is not None and frame.field is not None:
        own = frame.limits
    return ExportSettings(
        presenter.field, (view.frame,), view.joint, presenter.scene.size, scale=presenter.scale, view=AS_SHOWN,
        dark=current_theme().dark, limits=own,
    )  # fmt: skip


def running_curves(context: Context) -> Plot | None:
    """Return the curves of the panel where they have a value for every frame; None without such."""
    window: Any = context.window.widget
    plot: Plot | None = window.docks.panels["curves"].plot.plot
    if plot is None or not plot.series or not context.n_frames:
        return None
    if any(len(series.x) != context.n_frames for series in plot.series):
        return None
    return replace(plot, series=tuple(replace(series, points=False) for series in plot.series))


def write_image(
    context: Context, presenter: Presenter, path: Path, settings: ExportSettings, curves: Plot | None = None
) -> None:
    """Write the picture of the 3D view at any size, as pixels or for print (.svg, .pdf)."""
    content, scene = content_of(context, presenter), presenter.scene
    frame = scene.content.frame
    if content is not None:
        content = _with_comparison(replace(content, curves=curves), context, presenter)
    limits = (
        frame.limits if frame is not None and frame.field is not None and not frame.field.states else None
    )
    kind = path.suffix.lower().lstrip(".")
    context.view.set_playing(False)
    with (
        writing(context, path),
        opened_page(
            settings,
            content,
            field=frame.field if frame is not None else None,
            limits=limits,
            spanned=scene.content.spanned,
            like=scene,
        ) as page,
        replacing(path, durable=False) as beside,
    ):
        shot = Shot(frame.number if frame is not None else 0, presenter.phase)
        if kind in ("svg", "pdf"):
            page.paint(shot, beside, kind)
        else:
            _write_png(page.take(shot), beside, settings.dpi)


def _write_png(pixels: np.ndarray, path: Path, dpi: int) -> None:
    height, width, channels = pixels.shape
    kind = QImage.Format.Format_RGBA8888 if channels == 4 else QImage.Format.Format_RGB888
    image = QImage(np.ascontiguousarray(pixels).data, width, height, channels * width, kind).copy()
    if dpi:
        for tell in (image.setDotsPerMeterX, image.setDotsPerMeterY):
            tell(round(dpi / 0.0254))
    if not QImageWriter(str(path), b"png").write(image):
        raise OSError(None, "the disk may be full")


def write_video(
    context: Context, presenter: Presenter, path: Path, settings: ExportSettings, curves: Plot | None = None
) -> None:
    """Write the animation as it is shown, with a progress box that can cancel."""
    content = content_of(context, presenter)
    if content is None:
        return
    content = _with_comparison(replace(content, curves=curves), context, presenter)
    kind = "gif" if path.suffix.lower() == ".gif" else "mp4"

    def write(progress: BoxProgress) -> None:
        with closing(film_steps(content, settings, path, progress, kind=kind, like=presenter.scene)) as steps:
            for _ in steps:
                pass

    _write_with_box(context, path, "Drawing the film", write)


def _with_comparison(content: ExportContent, context: Context, presenter: Presenter) -> ExportContent:
    """Return the content with the analysis that the view compares: subtracted, or next to it."""
    other = presenter.compared
    if other is None:
        return content
    if context.view.values.difference:
        return replace(content, minus=other)
    name, found = other
    return replace(content, beside=(replace(content, title=name, context=found, curves=None),))


def ask_for_file(kind: str, context: Context, presenter: Presenter) -> None:
    """Ask where, and write the frames as a table or for ParaView, or a report of the project."""
    words = None
    if kind == "report":
        dialog = ReportDialog(context.settings, context.window.widget)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return
        words = dialog.words
    path = ask_for_output(context, f"Export {kind}", context.project.name, _KINDS[kind])
    if path is None:
        return
    if words is None:
        write_data(context, presenter, path)
    else:
        write_report(context, path, words)


def write_data(context: Context, presenter: Presenter, path: Path) -> None:
    """Write the shown field at all frames as a table, or with the mesh for ParaView."""
    content, view = content_of(context, presenter), context.view.values
    if content is None or content.context.of_body is None:
        context.show_error(FayingError("There are no frames of a body to write.", "Select such an analysis."))
        return
    other = presenter.compared
    if view.difference and other is not None:
        content = replace(content, minus=other)
    field, frames = presenter.field or "displacement", tuple(range(context.n_frames))
    settings = ExportSettings(field, frames, view.joint)
    _write_with_box(
        context, path, "Writing", lambda progress: exporter_for(path).write(content, settings, path, progress)
    )


def write_report(context: Context, path: Path, words: ReportTexts) -> None:
    """Write a report of the project in its present state."""
    computed = context.computed
    report = Report(
        context.project, computed.store, computed.base, pipeline=computed.pipeline, memory=computed.memory,
        words=words,
    )  # fmt: skip
    _write_with_box(context, path, "Writing the report", lambda progress: report.write(path, progress))


def _write_with_box(context: Context, path: Path, title: str, write: Callable[["BoxProgress"], None]) -> None:
    """Write with a progress box that can cancel, and say how it went."""
    context.view.set_playing(False)
    box = QProgressDialog(title, "Cancel", 0, 1000, context.window.widget)
    box.setWindowModality(Qt.WindowModality.WindowModal)
    box.setMinimumDuration(0)
    try:
        with writing(context, path):
            write(BoxProgress(box))
    finally:
        box.close()
        box.deleteLater()


class BoxProgress:
    """A progress shown in a box that keeps the window alive between the pictures."""

    def __init__(self, box: QProgressDialog) -> None:
        self._box = box

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Move the bar; raises Cancelled when the box was cancelled."""
        self._box.setValue(round(1000 * fraction))
        self._box.setLabelText(text or self._box.labelText())
        QApplication.processEvents()
        if self._box.wasCanceled():
            raise Cancelled


def content_of(context: Context, presenter: Presenter) -> ExportContent | None:
    """Return the present content for an exporter; None if it has no frames."""
    found, shown = presenter.field_context, presenter.scene.content
    if found is None or shown.model is None:
        return None
    if found.of_body is None:
        # Films are drawn like the scene, which knows the system; what they ask of frames a system answers too.
        return ExportContent(
            shown.title, context.project.units, shown.model, found, {}, dict(shown.joint_pairs)
        )
    body = body_at(context.project, context.entity)
    if body is None:
        return None
    analysis = analysis_at(context.project, context.entity)
    surfaces = {}
    for joint in body.contact_joints:
        master = context.computed.surface(body.name, joint, "master")
        slave = context.computed.surface(body.name, joint, "slave")
        if master is not None and slave is not None:
            surfaces[joint.name] = (master, slave)
    title = shown.title if analysis is not None else "modes"
    return ExportContent(
        title, context.project.units, shown.model, found, surfaces, dict(shown.joint_pairs),
        loads=shown.symbols.loads,
    )  # fmt: skip
