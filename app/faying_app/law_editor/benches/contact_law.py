"""Contact laws: pressure over gap, matched at a penetration."""

from collections.abc import Sequence
from typing import Any

from faying.joints.contact_laws import contact_laws
from faying.joints.law_curves import GapRange, pressure_at
from faying.joints.law_plots import PlotUnits, pressure_plot, unit_value
from faying.plot import Plot
from faying.progress import Progress
from faying_app.law_editor.benches import Bench, Condition, benches


@benches.register("contact_law")
class ContactBench(Bench):
    """At first the range and the point of figure 4.31 of the thesis, on the curve of the first law."""

    title = "Contact laws"
    family = contact_laws

    def choose(self, law: Any, units: PlotUnits) -> None:
        """Show 5 µm of penetration, and match at half of it."""
        micrometre, megapascal = (
            unit_value(unit, quantity, units.system)
            for unit, quantity in (("µm", "length"), ("MPa", "stress"))
        )
        self.deepest = Condition(
            "Penetration to", "Largest penetration of the curves.", "length", 5.0 * micrometre
        )
        self.widest = Condition(
            "Opening to", "Largest gap of the curves.", "length", 1.0 * micrometre, may_be_zero=True
        )
        self.conditions = [self.deepest, self.widest]
        self.penetration = Condition(
            "at penetration", "Where laws are matched; also by dragging the mark.", "length", 2.5 * micrometre
        )
        pressure = pressure_at(law, -self.penetration.value) if law is not None else 0.0
        self.pressure = Condition(
            "with pressure", "Which pressure matched laws have there.", "stress", pressure or megapascal
        )
        self.aims = [self.penetration, self.pressure]

    def measure(self, law: Any, progress: Progress) -> float:
        """Return the pressure at the penetration."""
        return pressure_at(law, -self.penetration.value)

    def plot(self, laws: Sequence[tuple[str, Any]], units: PlotUnits, progress: Progress) -> Plot:
        """Return pressure over gap with the point of matching."""
        span = GapRange(penetration=self.deepest.value, opening=self.widest.value)
        return pressure_plot(laws, span, units, (-self.penetration.value, self.pressure.value))

    def move_mark(self, x: float, y: float, units: PlotUnits) -> bool:
        """Match where the mark was put; above the axis of gaps and left of zero alone."""
        if x >= 0.0 or y <= 0.0:
            return False
        self.penetration.value = -x * unit_value(units.length, "length", units.system)
        self.pressure.value = y * unit_value(units.stress, "stress", units.system)
        return True
