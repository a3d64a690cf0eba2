"""Friction laws: friction stress over a sinusoidal slip, matched in their work per cycle."""

from collections.abc import Sequence
from typing import Any

from faying.joints.friction_laws import friction_laws
from faying.joints.law_curves import HysteresisLoop, SlipCycles, hysteresis_loop, telling_amplitude
from faying.joints.law_plots import PlotUnits, hysteresis_plot, unit_value, usually
from faying.params import build
from faying.plot import Plot
from faying.progress import Progress, Silent
from faying_app.law_editor.benches import Bench, Condition, benches


@benches.register("friction_law")
class FrictionBench(Bench):
    """At first an amplitude at which the first law sticks and slips. Loops are kept: one takes up to a second."""

    title = "Friction laws"
    family = friction_laws

    def choose(self, law: Any, units: PlotUnits) -> None:
        """Take a pressure of 10 MPa, an amplitude that fits it, and the first law's work."""
        pressure = 10.0 * unit_value("MPa", "stress", units.system)
        fitting = telling_amplitude(usually(law), pressure) if law is not None else None
        self.amplitude = Condition(
            "Slip amplitude", "Largest slip to either side.", "length",
            fitting or 10.0 * unit_value("µm", "length", units.system),
        )  # fmt: skip
        self.pressure = Condition(
            "Pressure", "Constant contact pressure during the cycles.", "stress", pressure
        )
        self.cycles = Condition(
            "Cycles", "How often; the work is that of the last cycle.", "", 1.0, whole=True
        )
        self.frequency = Condition(
            "Frequency", "Of account for laws that depend on the slip velocity.", "frequency",
            unit_value("Hz", "frequency", units.system),
        )  # fmt: skip
        self.conditions = [self.amplitude, self.pressure, self.cycles, self.frequency]
        self._loops: dict[tuple[Any, SlipCycles], HysteresisLoop] = {}
        work = self._loop(law, Silent()).work if law is not None else 0.0
        self.work = Condition(
            "in work per cycle", "Which work per area matched laws lose in a cycle.", "energy_per_area",
            work if work > 0.0 else unit_value("J/m²", "energy_per_area", units.system),
        )  # fmt: skip
        self.aims = [self.work]

    def measure(self, law: Any, progress: Progress) -> float:
        """Return the work per cycle."""
        return self._loop(law, progress).work

    def plot(self, laws: Sequence[tuple[str, Any]], units: PlotUnits, progress: Progress) -> Plot:
        """Return friction stress over slip."""
        return hysteresis_plot([(name, self._loop(law, progress)) for name, law in laws], units)

    def _loop(self, law: Any, progress: Progress) -> HysteresisLoop:
        drive = build(
            SlipCycles,
            {
                "amplitude": self.amplitude.value,
                "pressure": self.pressure.value,
                "cycles": int(self.cycles.value),
                "frequency": self.frequency.value,
            },
        )
        if (law, drive) not in self._loops:
            self._loops[law, drive] = hysteresis_loop(usually(law), drive, progress)
        return self._loops[law, drive]
