"""Numbers of a run that are no physics: sizes and numbers of steps, and how accurate they are."""

from faying.analyses.curve_sources import RunNumbers, curve_sources
from faying.results.curve_key import Quantity


@curve_sources.register("step_control")
class StepControl(RunNumbers):
    """What the solver did to get to a frame."""

    title = "Step control"
    quantities = (
        Quantity("step size", "time", "Length of the time step that led to the frame."),
        Quantity("step", "", "Number of the step in a row of steps, from 1."),
        Quantity("cycle", "", "Number of the repetition of the step."),
        Quantity("constraint violation", "", "Largest value of all constraint equations."),
        Quantity("separation ratio", "", "Inertia force that a separation of modes leaves out over the elastic one."),
        Quantity("sampling error", "", "Error of sampled joints relative to the largest deformation."),
        Quantity("correction", "", "Share of the first correction of a frame on the FE model, in the energy norm."),
        Quantity("last correction", "", "The same of the last correction."),
        Quantity(
            "pressure change by correction", "stress",
            "Change of the pressures by a correction on the FE model: root mean square over the area of all joints.",
        ),
    )  # fmt: skip
