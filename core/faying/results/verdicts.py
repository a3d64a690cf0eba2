"""Facts of a run for people: a number with its unit, its meaning, and whether it is good."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from faying.units import UnitSystemName, unit_text

Verdict = Literal["", "good", "acceptable", "doubtful"]

# Up to the first share a number is good, up to the second acceptable. The bounds of the energy are those of
# `faying.results.quality_warnings` and a tenth of them; those of the reduction are where findings begin and warn.
_LEAST_PERCENT = 1e-3
_ENERGY, _CONSTRAINTS, _ESTIMATE, _CORRECTION = (0.01, 0.1), (1e-5, 1e-3), (0.01, 0.05), (1e-4, 1e-2)
_CLOSURE = (1e-3, 1e-2)
_MISSED, _BALANCE = (1e-3, 1e-2), (1e-6, 1e-3)  # of a cycle's work
_SCATTER = (1.5, 3.0)  # of a fit, in errors of the points; the second as in the quality warnings
_FRICTION = (0.1, 1.0)  # of the sticking limit, where findings note it and warn
_MOST_NAMED = 4  # redundant equations
MANY_FAILED = 0.05  # of the tries of time steps: above that they are most of the work of a run


@dataclass(frozen=True)
class Fact:
    """A statement about a run.

    Attributes:
        title: the name of the statement.
        text: the number with its unit.
        verdict: its meaning for the results; "" for a plain number.
    """

    title: str
    text: str
    verdict: Verdict = ""


def verdict_of(share: float, bounds: tuple[float, float]) -> Verdict:
    """Return the verdict on a share: good up to the first bound, acceptable up to the second."""
    if not math.isfinite(share):
        return "doubtful"
    return "good" if abs(share) <= bounds[0] else "acceptable" if abs(share) <= bounds[1] else "doubtful"


def verdict_of_run(report: Mapping[str, Any], warned: bool) -> Verdict:
    """Return the verdict on a run as a whole: the worst one on its solution.

    Args:
        report: of the run.
        warned: whether the run has quality warnings, any of which makes it doubtful.
    """
    facts = {fact.verdict for fact in facts_of(report, "mm-t-s")}  # shares, the same in all units
    if warned or "doubtful" in facts:
        return "doubtful"
    return "acceptable" if "acceptable" in facts else "good" if "good" in facts else ""


def estimate_verdict(share: float) -> Verdict:
    """Return the verdict on an estimated error of the reduced body."""
    return verdict_of(share, _ESTIMATE)


def percent(share: float) -> str:
    """Return a share as people write it: "0.007 %", "12 %"."""
    size = abs(100.0 * share)
    if 0.0 < size < _LEAST_PERCENT:
        return f"less than {_LEAST_PERCENT:g} %"
    return f"{100.0 * share:.2g} %" if size < 10.0 else f"{100.0 * share:.0f} %"


def failed_tries(report: Mapping[str, Any], units: UnitSystemName) -> tuple[float, str]:
    """Return the share of all tries of time steps whose corrections did not converge, and the consequence in words.

    Args:
        report: of a run in time.
        units: of its numbers.
    """
    failed = report.get("rejected_by_iteration", 0)
    if not failed:
        return 0.0, ""
    tries = report["steps"] + report.get("rejected_by_error", 0) + failed
    text = f"{failed} of {tries} tries of a time step did not converge"
    count, time = report.get("shortened_steps", 0), report.get("shortened_time", 0.0)
    if count and report.get("last_time", 0.0) > 0.0:
        text += (
            f", which kept steps at {time / count:.2g} {unit_text('time', units)} for "
            f"{percent(min(time / report['last_time'], 1.0))} of the time"
        )
    return failed / tries, text


def facts_of(report: Mapping[str, Any], units: UnitSystemName) -> tuple[Fact, ...]:
    """Return the facts in a run's report, the most important first.

    Args:
        report: of the run (`faying.results.results.Results.report`).
        units: of its numbers.
    """
    return (
        *_energy(report, units), *_vibration(report, units), *_periodic(report), *_identified(report), *_errors(report),
        *_events(report, units), *_constraints(report, units), *_friction(report), *_tables(report, units),
        *_effort(report, units), *_size(report),
    )  # fmt: skip


def _energy(report: Mapping[str, Any], units: UnitSystemName) -> Iterator[Fact]:
    balance = report.get("energy_balance", {})
    size, lost = balance.get("turned over", 0.0), balance.get("taken by the integration", 0.0)
    if size > 0.0:
        unit = unit_text("energy", units)
        yield Fact(
            "Energy error of the time integration",
            f"{percent(abs(lost) / size)} of the {size:.4g} {unit} that were turned over",
            verdict_of(lost / size, _ENERGY),
        )
    if size > 0.0 and balance.get("friction work"):
        share = balance["friction work"] / size
        yield Fact(
            "Work of friction",
            f"{balance['friction work']:.4g} {unit_text('energy', units)}, {percent(share)} of it",
        )


def _vibration(report: Mapping[str, Any], units: UnitSystemName) -> Iterator[Fact]:
    if (frequency := report.get("stuck_frequency")) is not None:
        yield Fact(
            f"Mode {report['mode']} with stuck joints", f"{frequency:.5g} {unit_text('frequency', units)}"
        )
    for joint, amplitude in report.get("slides_as_a_whole", {}).items():
        yield Fact(
            f"Joint {joint!r} slides as a whole",
            f"from an amplitude of {amplitude:.3g} {unit_text('length', units)} on",
        )
    yield from _opening(report.get("backbone", ()), units)
    if lost := report.get("lost_pressure"):
        yield Fact(
            "Pairs that lose their pressure in each cycle",
            f"first at {lost['frequency']:.5g} {unit_text('frequency', units)} and level {lost['level']:g}; "
            f"{lost['pairs']:.0f} of {report['closed_pairs']} at most",
        )
    if (amplitude := report.get("grows_from")) is not None:
        yield Fact(
            "Self-excitation",
            f"at an amplitude of {amplitude:.3g} {unit_text('length', units)}: damping is negative",
        )
    if (nearest := report.get("nearest_resonance")) is not None:
        yield Fact(
            "Resonance with stuck joints",
            f"none in the range, the nearest at {nearest:.5g} {unit_text('frequency', units)}",
        )
    if turns := report.get("turning_points"):
        places = ", ".join(f"{turn['frequency']:.5g}" for turn in turns[:4])
        yield Fact(
            "The answer jumps when the frequency is swept",
            f"at {places}{', …' if len(turns) > 4 else ''} {unit_text('frequency', units)}",
        )
    if unstable := report.get("unstable_points"):
        yield Fact("Unstable points", str(unstable))
    if left := report.get("left_unstable"):
        unit = unit_text("length", units)
        yield Fact(
            "Unstable equilibrium left",
            f"by part {left['parts'][0]!r}; the stable one is {left['distance']:.4g} {unit} away",
        )
    if grows := report.get("modes_that_grow"):
        yield Fact("Modes that grow", ", ".join(map(str, grows)))


def _opening(backbone: Sequence[Mapping[str, float]], units: UnitSystemName) -> Iterator[Fact]:
    """Yield from which amplitude on pairs lose their pressure in a part of each cycle."""
    opens = [row for row in backbone if row.get("opening pairs") and "amplitude" in row]
    if opens:
        most = int(max(row["opening pairs"] for row in opens))
        yield Fact(
            "Pairs that open in each cycle",
            f"from an amplitude of {opens[0]['amplitude']:.3g} {unit_text('length', units)} on, {most} at most",
        )


def _periodic(report: Mapping[str, Any]) -> Iterator[Fact]:
    if "missed_work" not in report:
        return
    yield Fact(
        "Harmonics and samples", f"{report['harmonics']} and {report['samples']}, of the richest motion"
    )
    missed = max(report["missed_work"], report["missed_motion"])
    yield Fact(
        "Missed by higher harmonics",
        f"{percent(missed)} of work or displacements",
        verdict_of(missed, _MISSED),
    )
    if (imbalance := report.get("largest_imbalance")) is not None:
        yield Fact(
            "Work of the loads less that of friction and damping", f"{percent(imbalance)} at most",
            verdict_of(imbalance, _BALANCE),
        )  # fmt: skip
    if "most_slipping_pairs" in report:
        yield Fact("Slipping pairs", f"{report['most_slipping_pairs']} of {report['closed_pairs']} at most")


def _identified(report: Mapping[str, Any]) -> Iterator[Fact]:
    if (scatter := report.get("scatter")) is not None:
        runs = report["runs"]
        yield Fact(
            "Points off the fitted curve", f"{scatter:.3g} times their errors", verdict_of(scatter, _SCATTER)
        )
        yield Fact("Runs of the fit", f"{runs} backbones at {report['points']} amplitudes")


def _errors(report: Mapping[str, Any]) -> Iterator[Fact]:
    titles = {
        "motion": "Estimated error of the motion",
        "force": "Estimated error of the normal force",
        "pressure": "Estimated error of the pressure",
        "friction": "Estimated error of the friction stresses",
        "stress": "Estimated error of the stresses, in the mean of the body",
    }
    for name, share in report.get("error_estimate", {}).items():
        if name in titles:
            yield Fact(titles[name], f"{percent(share)} against the FE model", verdict_of(share, _ESTIMATE))
    if why := report.get("no_error_estimate", ""):
        yield Fact("Error estimate", f"none: {why}")
    if (closure := report.get("largest_loop_closure")) is not None:
        yield Fact("Loops close to", f"{percent(closure)} of their load", verdict_of(closure, _CLOSURE))
    if why := report.get("no_fe_model", ""):
        yield Fact("Comparison with the FE model", f"none: {why}")
    if report.get("touching_counts"):
        yield Fact("Closed pairs", "those that touch, as no pair is under pressure", "acceptable")
    if "largest_last_correction" in report:
        last = float(report["largest_last_correction"])
        yield Fact(
            "Change by the last correction",
            f"{percent(last)} in the energy norm",
            verdict_of(last, _CORRECTION),
        )
    if balance := report.get("reaction_balance", {}):
        share = balance["share"]
        yield Fact(
            "Forces at supports against the loads", f"{percent(share)} apart", verdict_of(share, _ESTIMATE)
        )
    if (mounted := report.get("mounted_error")) is not None and mounted > 0.0:
        yield Fact("Error of the mounted state", percent(mounted), verdict_of(mounted, _ESTIMATE))


def _events(report: Mapping[str, Any], units: UnitSystemName) -> Iterator[Fact]:
    found, time, energy = report.get("events", ()), unit_text("time", units), unit_text("energy", units)
    for each in found[:_MOST_NAMED]:
        did = " and ".join(each["did"]) or "did nothing"
        lost = each.get("energy_lost", 0.0)
        text = f"{did} at {each['time']:.6g} {time}" + (
            f"; {lost:.4g} {energy} lost" if abs(lost) > 0.0 else ""
        )
        free = each.get("free_parts", ())
        text += f"; nothing acts on {', '.join(map(repr, free))} any more but weight" if free else ""
        yield Fact(f"Event {each['name']!r}", text)
    if len(found) > _MOST_NAMED:
        counts = ", ".join(
            f"{name!r} {count}" for name, count in report.get("event_counts", {}).items() if count
        )
        yield Fact("More events", f"{len(found) - _MOST_NAMED}; in all: {counts}")


def _constraints(report: Mapping[str, Any], units: UnitSystemName) -> Iterator[Fact]:
    missed = report.get("missed_constraint", {})
    if missed and missed["size"] > 0.0:
        share = missed["length"] / missed["size"]
        yield Fact(
            "Constraints are missed by", f"{missed['length']:.2g} {unit_text('length', units)} at most",
            verdict_of(share, _CONSTRAINTS),
        )  # fmt: skip

    if (redundant := report.get("redundant_equations")) is not None:
        if redundant:
            named = ", ".join(map(str, redundant[:_MOST_NAMED])) + (
                " …" if len(redundant) > _MOST_NAMED else ""
            )
            text = f"{len(redundant)}, whose reactions are not unique: {named}"
            yield Fact("Redundant equations", text, "acceptable")
        else:
            yield Fact("Redundant equations", "none", "good")
    for sentence in report.get("start_warnings", ()):
        yield Fact("At the start", str(sentence), "doubtful")


def _friction(report: Mapping[str, Any]) -> Iterator[Fact]:
    if words := report.get("friction", ""):
        yield Fact("Friction", str(words))
    for joint, share in report.get("friction_beyond_limit", {}).items():
        yield Fact(
            f"Spring of friction in {joint!r}",
            f"bears up to {percent(share)} of the sticking limit, on top of it",
            verdict_of(share, _FRICTION),
        )


def _size(report: Mapping[str, Any]) -> Iterator[Fact]:
    if (count := report.get("degrees_of_freedom")) is not None:
        still = report.get("separated_modes", 0)
        more = f"; {still} modes are fast and follow without vibrating" if still else ""
        yield Fact("Size of the system", f"{count} degrees of freedom{more}")
    if (count := report.get("dofs")) is not None:
        yield Fact("Size of the FE model", f"{count} degrees of freedom")
    if modes := report.get("reduced_modes"):
        yield Fact("Size of the reduced body", f"{modes} modes")


def _tables(report: Mapping[str, Any], units: UnitSystemName) -> Iterator[Fact]:
    time = unit_text("time", units)
    for each in report.get("beyond_tables", ()):
        amount = f"{each['excess']:.3g} {unit_text(each['quantity'], units)} at {each['time']:.4g} {time}"
        yield Fact(f"Force {each['name']!r} was beyond its table by", amount, "doubtful")


def _effort(report: Mapping[str, Any], units: UnitSystemName) -> Iterator[Fact]:
    time = unit_text("time", units)
    if "steps" in report and not isinstance(report["steps"], list) and "smallest_step" not in report:
        yield Fact("Equilibria", f"{report['steps']} with {report.get('iterations', 0)} iterations")
    elif "steps" in report and not isinstance(report["steps"], list):
        rejected = report.get("rejected_by_error", 0) + report.get("rejected_by_iteration", 0)
        tiny = report.get("tiny_steps", 0)
        yield Fact(
            "Time steps",
            f"{report['steps']} of {report['smallest_step']:.2g} to {report['largest_step']:.2g} {time}; "
            f"{rejected} were tried again",
            "doubtful" if tiny else "good",
        )
        if (failed := failed_tries(report, units)) and failed[1]:
            yield Fact("Corrections", failed[1], "good" if failed[0] <= MANY_FAILED else "acceptable")
    if "load_steps" in report:
        divided = report.get("divided_load_steps", 0)
        more = f"; {divided} were divided" if divided else ""
        yield Fact(
            "Load steps", f"{report['load_steps']} with {report.get('iterations', 0)} iterations{more}"
        )
    if report.get("processor_seconds", 0.0) > 0.0:
        yield Fact("Processor time", f"{report['processor_seconds']:.3g} s")
