"""How often each initial gap of a joint occurs, with limits for closing gaps and removing penetrations."""

import numpy as np
from PySide6.QtWidgets import QWidget

from faying.joints.pairs import ContactPairs
from faying.project import edits
from faying.project.stage import Target
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.plotting.histogram import HistogramView

_CLOSE, _REMOVE = "close_gaps_below", "remove_penetration_below"


class GapsView(HistogramView):
    """The gaps of the mesh, before any is closed; a limit that is let go of becomes a decision about the joint."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__("Initial gap", "Contact pairs", parent)
        self._context = context
        self._body = self._joint = ""
        self.limit_dropped.connect(self._decide)
        self.setMinimumWidth(220)

    def show_joint(self, body: str, joint: str, pairs: ContactPairs) -> None:
        """Show the gaps of a joint and its limits."""
        self._body, self._joint = body, joint
        model = self._context.computed.model(body)
        if model is None:
            return
        self.set_axis(f"Gap of the mesh [{unit_text('length', self._context.project.units)}]")
        away = pairs.on_slave(model.nodes) - pairs.points
        gaps = np.einsum("nc,nc->n", pairs.normals, away)
        search = self._context.project.body(body).joints[self._number()].search
        # Room for the limits next to the bars, even if all gaps are zero.
        reach = max(
            float(np.abs(gaps).max(initial=0.0)), search.close_gaps_below, search.remove_penetration_below
        )
        reach = 1.15 * (reach if reach > 1e-9 else 0.05 * float(np.sqrt(np.median(pairs.weights))))
        self.show_values(gaps, (-reach, reach))
        self.set_limit(_CLOSE, search.close_gaps_below, "close below", (0.0, None))
        self.set_limit(_REMOVE, -search.remove_penetration_below, "remove above", (None, 0.0))

    def _decide(self, name: str, value: float) -> None:
        path = (*body_path(self._context.project, self._body), "joints", self._number(), "search")
        title = "Close gaps below" if name == _CLOSE else "Remove penetration below"
        amount = float(f"{abs(value):.3g}")
        if self._context.apply(f"{title} {amount:g}", edits.set_values(path, {name: amount})):
            # The pairs are found again at once: the histogram is about them.
            target = Target("pairs", self._body, self._joint)
            self._context.tasks.run(f"Contact pairs of {self._joint}", [target], self._context.project)

    def _number(self) -> int:
        joints = self._context.project.body(self._body).joints
        return next(i for i, joint in enumerate(joints) if joint.name == self._joint)
