"""Cost of a time step with joint contact over pairs and modes: linear in pairs, at most quadratic in modes."""

import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from _watch import say

from faying.exporters.plots import PictureSettings, plot_writer_for
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.plot import Axis, Plot, Series
from faying.progress import Silent
from faying.solvers.clamped_body import ClampedBody
from faying.solvers.integrators import consistent_start, integrators

PAIRS, MODES = (3000, 6000, 12_000), (75, 150, 300)


def report_step_cost(target: Path | None) -> None:
    """Print the milliseconds of a step and how they grow; draw them over pairs and over modes, if asked for."""
    say("\nstep of a held body with contact, milliseconds")
    say("  pairs   " + "".join(f"{f'{modes} modes':>14}" for modes in MODES))
    costs = np.array([[step_cost(pairs, modes) for modes in MODES] for pairs in PAIRS])
    for pairs, row in zip(PAIRS, costs, strict=True):
        say(f"  {pairs:<8}" + "".join(f"{1e3 * cost:14.2f}" for cost in row))
    by_pairs = np.log(costs[-1] / costs[0]) / np.log(PAIRS[-1] / PAIRS[0])
    by_modes = np.log(costs[:, -1] / costs[:, 0]) / np.log(MODES[-1] / MODES[0])
    say(f"  grows with pairs to the power {by_pairs.max():.2f}, with modes to the power {by_modes.max():.2f}")
    if target is not None:
        for over, plot in (("pairs", over_pairs(costs)), ("modes", over_modes(costs))):
            path = target.with_name(f"{target.stem}_over_{over}{target.suffix}")
            plot_writer_for(path).write(plot, path, PictureSettings())
            say(f"  drawn: {path}")


def over_pairs(costs: np.ndarray) -> Plot:
    """Return the plot over pairs, a curve for each number of modes, beside a straight line."""
    x = np.array(PAIRS, float)
    found = [Series(f"{modes} modes", x, 1e3 * costs[:, j], j, points=True) for j, modes in enumerate(MODES)]
    bound = Series("linear", x, 1e3 * costs[0, -1] * x / x[0], len(MODES))
    return _plot("Step over contact pairs", "Contact pairs", (*found, bound))


def over_modes(costs: np.ndarray) -> Plot:
    """Return the plot over modes, a curve for each number of pairs, beside a parabola."""
    x = np.array(MODES, float)
    found = [Series(f"{pairs} pairs", x, 1e3 * costs[i], i, points=True) for i, pairs in enumerate(PAIRS)]
    bound = Series("quadratic", x, 1e3 * costs[-1, 0] * (x / x[0]) ** 2, len(PAIRS))
    return _plot("Step over modes", "Modes", (*found, bound))


def _plot(title: str, over: str, series: tuple[Series, ...]) -> Plot:
    return Plot(
        title, Axis(over, logarithmic=True), Axis("Processor time of a step", "ms", logarithmic=True), series
    )


def step_cost(pairs: int, modes: int) -> float:
    """Return the seconds of one step of a body with a joint that a fifth of its pairs hold closed."""
    rng = np.random.default_rng(pairs + modes)
    gaps = np.where(np.arange(pairs) < pairs // 5, -1e-3, 1.0)
    rows = SimpleNamespace(
        normal=rng.standard_normal((pairs, modes)) / modes,
        tangential=rng.standard_normal((pairs, 2, modes)) / modes,
        weights=np.ones(pairs), initial_gaps=gaps,
    )  # fmt: skip
    joint = JointForce(
        rows, LinearPenalty(stiffness=10.0), Coulomb(sticking_stiffness=1e4, sliding_stiffness=500.0)
    )
    stiffness = np.diag(np.linspace(1e4, 1e8, modes))
    body = SimpleNamespace(
        n_coordinates=modes, modal_magnitudes=np.ones(modes), mass=np.eye(modes), stiffness=stiffness,
        joint_mode_stiffness=np.zeros(modes), damping=None,
    )  # fmt: skip
    push = 10.0 * rng.standard_normal(modes)
    system = ClampedBody(body, [joint], lambda time: push * np.sin(3e3 * time))
    zero = np.zeros(modes)
    start = consistent_start(system, 0.0, zero, zero, system.initial_history())
    scheme = integrators["hht"](tolerance=1e-6, fixed_step=True, largest_step=1e-5)
    began = time.process_time()
    report = scheme.integrate(system, start, 20e-5, lambda before, after: None, Silent())
    return (time.process_time() - began) / report.steps
