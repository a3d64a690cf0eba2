"""Energies and works of a body or system."""

from faying.analyses.curve_sources import RunNumbers, curve_sources
from faying.results.curve_key import Quantity


@curve_sources.register("energies")
class Energies(RunNumbers):
    """Work is positive where it adds energy; that of friction and damping where it removes some."""

    title = "Energies"
    quantities = (
        Quantity("kinetic energy", "energy", "Of all masses."),
        Quantity("elastic energy", "energy", "Strain energy of the bodies, and of their joints and springs."),
        Quantity("potential energy", "energy", "Of the weight."),
        Quantity("total energy", "energy", "Sum of kinetic, elastic and potential energy less the work of preload."),
        Quantity("work of preload", "energy", "Work of the preload cases from the undeformed bodies."),
        Quantity("work of drives", "energy", "Of prescribed motions since the start."),
        Quantity("work of forces", "energy", "Of loads since the start."),
        Quantity("work of contact", "energy", "Of the normal forces of contact since the start."),
        Quantity("friction work", "energy", "What friction has dissipated since the start."),
        Quantity("damping work", "energy", "What damping has dissipated since the start."),
        Quantity("energy lost at events", "energy", "What events have taken from it at once, since the start."),
        Quantity("external work", "energy", "Of loads and of reactions at displaced nodes since the start."),
    )  # fmt: skip
