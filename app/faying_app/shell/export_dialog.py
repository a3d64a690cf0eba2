"""Asking for a picture or a film, and writing it with progress and cancel."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QImageWriter
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QProgressDialog,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from faying.atomic import replacing
from faying.errors import Cancelled, FayingError
from faying.exporters import ExportContent, ExportSettings, exporter_for
from faying.exporters.report import ENDINGS, Report
from faying_app.context import Context
from faying_app.entities import analysis_at, body_at
from faying_app.look.theme import current_theme
from faying_app.output_file import Kinds, ask_for_output, wrote
from faying_app.scene.film import film_steps
from faying_app.shell.presenter import Presenter

_KINDS: dict[str, Kinds] = {
    "image": [("Pictures", (".png",))],
    "video": [("Films", (".mp4",)), ("Animated pictures", (".gif",))],
    "data": [("Meshes and fields for ParaView", (".vtkhdf",)), ("Tables", (".csv",))],
    "report": [("Reports", ENDINGS)],
}
_SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))


class ExportDialog(QDialog):
    """Size, and for a film which frames how fast."""

    def __init__(self, *, film: bool, view_size: tuple[int, int], n_frames: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export video" if film else "Export image")
        self._form = QFormLayout()
        self.size_box = QComboBox(self)
        for size in (view_size, *_SIZES):
            name = "as on the screen, " if size == view_size else ""
            self.size_box.addItem(f"{name}{size[0]} × {size[1]}", size)
        self._form.addRow("Size in pixels", self.size_box)
        self.transparent = QCheckBox("Leave the background out", self)
        self.speed, self.every = QSpinBox(self), QSpinBox(self)
        self.speed.setRange(1, 60)
        self.speed.setValue(25)
        self.speed.setSuffix(" frames per second")
        self.every.setRange(1, max(n_frames // 2, 1))
        self.every.setPrefix("every ")
        self.every.setSuffix(". frame")
        for widget in (self.speed, self.every):
            widget.setVisible(film)
        if film:
            self._form.addRow("Speed", self.speed)
            self._form.addRow("Frames", self.every)
        else:
            self._form.addRow("", self.transparent)
        self.transparent.setVisible(not film)
        button = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(button.Ok | button.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(self._form)
        column.addWidget(buttons)


def export(kind: str, context: Context, presenter: Presenter) -> None:
    """Ask how and where, and write a picture, film or table of what is shown, or a report of the project."""
    if kind in ("data", "report"):
        ask_for_file(kind, context, presenter)
        return
    film = kind == "video"
    parent = context.window.widget
    dialog = ExportDialog(film=film, view_size=presenter.scene.size, n_frames=context.n_frames, parent=parent)
    if dialog.exec() != QDialog.DialogCode.Accepted:
        return
    kinds = _KINDS["video" if film else "image"]
    path = ask_for_output(context, dialog.windowTitle(), context.project.name, kinds)
    if path is None:
        return
    size: tuple[int, int] = dialog.size_box.currentData()
    if not film:
        write_image(context, presenter, path, size, transparent=dialog.transparent.isChecked())
        return
    frames = (
        (context.view.values.frame,)
        if presenter.swings
        else tuple(range(0, context.n_frames, dialog.every.value()))
    )
    write_video(context, presenter, path, size, frames, dialog.speed.value())


def write_image(
    context: Context, presenter: Presenter, path: Path, size: tuple[int, int], *, transparent: bool = False
) -> None:
    """Write what the 3D view shows at any size."""
    taken = presenter.viewport.grab_image(size, transparent)
    try:
        with replacing(path, durable=False) as beside:
            if not QImageWriter(str(beside), b"png").write(taken):
                raise OSError(None, "the disk may be full")
    except OSError as error:
        context.show_error(
            FayingError(
                f"The picture could not be written to {path} ({error.strerror}).", "Choose another place."
            )
        )
    else:
        wrote(context, path)


def write_video(
    context: Context,
    presenter: Presenter,
    path: Path,
    size: tuple[int, int],
    frames: tuple[int, ...],
    frames_per_second: int,
) -> None:
    """Write the animation as it is shown, with a progress box that can cancel."""
    content = content_of(context, presenter)
    if content is None:
        return
    if context.view.values.difference and presenter.compared is not None:
        content = replace(content, minus=presenter.compared)
    view = context.view.values
    settings = ExportSettings(
        field=presenter.field, joint=view.joint, frames=frames, size=size,
        frames_per_second=frames_per_second, scale=presenter.scale, dark=current_theme().dark,
    )  # fmt: skip
    kind = "gif" if path.suffix.lower() == ".gif" else "mp4"

    def write(progress: BoxProgress) -> None:
        with closing(film_steps(content, settings, path, progress, kind=kind, like=presenter.scene)) as steps:
            for _ in steps:
                pass

    _write_with_box(context, path, "Drawing the film", write)


def ask_for_file(kind: str, context: Context, presenter: Presenter) -> None:
    """Ask where, and write the frames as a table or for ParaView, or a report of the project."""
    path = ask_for_output(context, f"Export {kind}", context.project.name, _KINDS[kind])
    if path is None:
        return
    if kind == "data":
        write_data(context, presenter, path)
    else:
        write_report(context, path)


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


def write_report(context: Context, path: Path) -> None:
    """Write a report of the project as it stands."""
    computed = context.computed
    report = Report(
        context.project, computed.store, computed.base, pipeline=computed.pipeline, memory=computed.memory
    )
    _write_with_box(context, path, "Writing the report", lambda progress: report.write(path, progress))


def _write_with_box(context: Context, path: Path, title: str, write: Callable[["BoxProgress"], None]) -> None:
    """Write with a progress box that can cancel, and say how it went."""
    context.view.set_playing(False)
    box = QProgressDialog(title, "Cancel", 0, 1000, context.window.widget)
    box.setWindowModality(Qt.WindowModality.WindowModal)
    box.setMinimumDuration(0)
    try:
        write(BoxProgress(box))
    except Cancelled:
        context.say(f"{path.name} was not written.")
    except FayingError as error:
        context.show_error(error)
    else:
        wrote(context, path)
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
    """Return what is shown now as content for an exporter; None when it is not frames."""
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
    title = analysis.name if analysis is not None else "modes"
    return ExportContent(title, context.project.units, shown.model, found, surfaces, dict(shown.joint_pairs))
