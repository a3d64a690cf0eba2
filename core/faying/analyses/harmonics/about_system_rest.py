"""A system that vibrates about a state of rest, with contact and friction inside its parts and between them."""

from typing import Any, Literal

from faying.analyses import SystemModel
from faying.analyses.harmonics.about_system_state import AboutSystemState
from faying.analyses.harmonics.periodic_system import PeriodicSystem, periodic_system
from faying.params import parameter
from faying.progress import Progress


class AboutSystemRest(AboutSystemState):
    """An analysis of a system that vibrates about its equilibrium or a frame of a quasi-static motion."""

    contacts: Literal["laws", "tangents"] = parameter(
        "laws", title="Contacts between parts",
        meaning="Laws: nodes that are in contact or near it at rest open, close and slip by their laws, each on the "
        "point that it faces at rest. Tangents: as springs, as they are at rest; also where balls, round faces, edges "
        "or corners touch.",
    )  # fmt: skip

    def at_rest(self, system: SystemModel, progress: Progress) -> tuple[PeriodicSystem, dict[str, Any]]:
        """Return the system ready to vibrate, and what the report says of its state.

        Raises:
            ModelError, SolveError: as of `state` and `periodic_system`.
        """
        about = self.state(system, progress)
        found = periodic_system(system, about.built, about.state, laws=self.contacts == "laws")
        return found, {
            "degrees_of_freedom": about.degrees, "time": float(about.state.time), **about.stability,
        }  # fmt: skip
