"""Parts that are dragged in the view: each drag is one step."""

import numpy as np
from PySide6.QtCore import QObject

from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.placement import with_few_digits
from faying.project import edits
from faying.results.field import Pose
from faying.spatial.rotations import rotation_about, rotation_matrix, rotation_vector
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import system_path
from faying_app.scene.viewport import Viewport
from faying_app.shell.presenter import Presenter


class PartMover(QObject):
    """Takes over where a part was dragged to, and says how far while it is dragged."""

    def __init__(
        self, context: Context, viewport: Viewport, presenter: Presenter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._presenter = context, presenter
        viewport.part_dragged.connect(self._say)
        viewport.part_dropped.connect(self._drop)

    def _say(self, what: str, amount: float) -> None:
        if what.startswith("turn"):
            self._context.say(f"{what}: {np.degrees(amount):.4g}°")
        else:
            self._context.say(f"{what}: {amount:.4g} {unit_text('length', self._context.project.units)}")

    def _drop(self, number: int, pose: Pose) -> None:
        shown, context = self._presenter.subject.system, self._context
        content = self._presenter.scene.content
        if shown is None or content.system is None:
            return
        path = (*system_path(context.project, shown.name), "parts", number)
        part, (position, turn) = context.value(path), pose
        if isinstance(part, FlexiblePartSpec):
            # Its floating frame need not be where it is placed: what is placed moves as the picture did.
            start, first = content.system.starts[number]
            by = turn @ first.T
            position = position + by @ (np.array(part.placement.position) - start)
            turn = by @ rotation_matrix(rotation_about(np.array(part.placement.rotation)))
        words = {
            "position": with_few_digits(position), "rotation": with_few_digits(rotation_vector(turn)),
        }  # fmt: skip
        context.apply(f"Move {part.name!r}", edits.set_values((*path, "placement"), words))
