"""The number of processes in which studies compute their points in parallel, declared once for all of them."""

from faying.linalg.threads import physical_cores
from faying.params import Spec, parameter


class InProcesses(Spec):
    """A study of many points; no result depends on where they are computed."""

    processes: int = parameter(
        0, title="Processes", ge=0, le=256, advanced=True,
        meaning="In how many processes of this machine points are computed beside each other. Zero takes as many as "
        "the processor has cores, one computes them one after the other. Each holds what it computes with, such as "
        "matrices and a factor of its own: choose fewer when memory is short. A cluster has processes of its own.",
    )  # fmt: skip

    @property
    def n_processes(self) -> int:
        """The parameter `processes`, or the number of physical cores if that is zero."""
        return self.processes or physical_cores()
