"""Frequency and damping of a vibration over its amplitude."""

from faying.analyses.curve_sources import RunNumbers, curve_sources
from faying.results.curve_key import Quantity


@curve_sources.register("amplitudes")
class OverAmplitude(RunNumbers):
    """Numbers of a vibration in one mode at an amplitude."""

    title = "Over amplitude"
    quantities = (
        Quantity("natural frequency", "frequency", "Of the vibration at this amplitude."),
        Quantity("damping by friction", "", "Damping ratio: what friction dissipates in a cycle over 2 π ω² a²."),
        Quantity("natural frequency by Masing", "frequency", "The same from the first loading alone."),
        Quantity("damping by friction by Masing", "", "The same from the first loading alone."),
        Quantity("work of friction per cycle", "energy", "Area of the loop of load over motion."),
        Quantity("closure", "", "By how much the loop's load ends off where it began, over its half range."),
        Quantity("modal amplitude", "", "Amplitude of the mass-normalised mode."),
        Quantity("modal load", "", "Half the range of the load along the mode."),
    )  # fmt: skip
