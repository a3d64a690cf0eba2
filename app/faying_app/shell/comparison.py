"""A second 3D view next to the first: another analysis of the same body at the same time, with the same camera."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QSplitter

from faying.errors import FayingError
from faying.results.difference import matching_frame
from faying_app.context import Context
from faying_app.scene.viewport import Viewport
from faying_app.shell.presenter import Presenter


class ResultComparison(QObject):
    """Keeps the second view in step with the first; the view is made when it is first wanted.

    Attributes:
        viewport: the second view, None until there was one.
    """

    def __init__(self, context: Context, presenter: Presenter, split: QSplitter) -> None:
        super().__init__(split)
        self._context, self._presenter, self._split = context, presenter, split
        self.viewport: Viewport | None = None
        self._dark = False
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self.refresh)
        presenter.frame_shown.connect(self._soon.start)
        presenter.frames_changed.connect(self._soon.start)
        context.view.changed.connect(lambda name: self._soon.start() if name == "compare" else None)
        context.computed.releasing.connect(self._drop_frames)

    def close(self) -> None:
        """Give back the second view."""
        self._soon.stop()
        if self.viewport is not None:
            self.viewport.close()

    def _drop_frames(self) -> None:
        """Let go of results that are about to be closed: a frame in motion would still be read in full."""
        if self.viewport is not None and self.viewport.scene.content.context is not None:
            self.viewport.scene.set_frames(None, {})

    def apply_theme(self, dark: bool) -> None:
        """Take the theme's colours."""
        self._dark = dark
        if self.viewport is not None:
            self.viewport.scene.apply_theme(dark)

    def refresh(self) -> None:
        """Show the other analysis as the first view shows this one, or nothing."""
        other, main = self._presenter.compared, self._presenter.scene
        frame = main.content.frame
        # A difference is one picture.
        wanted = other is not None and frame is not None and not self._context.view.values.difference
        if self.viewport is not None:
            if wanted != self.viewport.scene.is_seen:
                self.viewport.scene.is_seen = wanted
                QTimer.singleShot(0, self, self._presenter.scene.fit_again)
            self.viewport.setVisible(wanted)
        if not wanted or other is None or frame is None or main.content.context is None:
            return
        name, found = other
        scene = self._second().scene
        content = main.content
        # The legend holds for both; the second view leaves the room to the body.
        switches = {**content.switches, "legend": False}
        try:
            scene.show(replace(content, title=name, context=found, switches=switches))
            scene.show_frame(
                matching_frame(float(main.content.context.frames.values[frame.number]), found),
                field=frame.field, joint=frame.joint, scale=frame.scale, limits=frame.limits,
            )  # fmt: skip
        except FayingError as error:
            self._context.say(str(error))

    def _second(self) -> Viewport:
        if self.viewport is None:
            self.viewport = Viewport(self._split)
            self.viewport.scene.apply_theme(self._dark)
            self._split.addWidget(self.viewport)
            self._split.setSizes([1000, 1000])
            self.viewport.scene.share_camera(self._presenter.scene)
            self.viewport.show()
            QTimer.singleShot(0, self, self._presenter.scene.fit_again)
        return self.viewport
