"""``faying quality``: how good the reduction basis of a body is."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faying.cli.commands import Command, commands

if TYPE_CHECKING:
    from faying.results.fields import FieldContext
    from faying.session import Session

_COUNTS = (1, 2, 5, 10, 20, 40, 60, 80, 100)
_DIRECTIONS = ("x", "y", "z", "about x", "about y", "about z")


@commands.register("quality")
class QualityCommand(Command):
    """Computes the basis and its measures if they are not there; runs no analysis."""

    summary = "say how good the reduction basis of a body is"
    order = 45

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "file", type=Path, metavar="STUDY.toml|PROJECT.faying", help="the file to examine"
        )
        parser.add_argument(
            "--body", default="", metavar="NAME", help="which body; the only one needs no name"
        )
        parser.add_argument("--json", action="store_true", help="write it as JSON")

    def run(self, args: argparse.Namespace) -> int:
        """Print the measures of each body's basis; 0 when there are some."""
        from faying.cli.json_text import json_text
        from faying.cli.session import opened
        from faying.cli.terminal import TerminalProgress

        with opened(args.file) as session, TerminalProgress(quiet=args.json) as progress:
            found = _measures(session, session.body(args.body).name, progress)
            units = session.project.units
        if args.json:
            print(json_text(found))
        else:
            _print(found, units)
        return 0


def _measures(session: "Session", body: str, progress: Any) -> dict[str, Any]:
    from faying.progress import PartialProgress
    from faying.project.stage import Target
    from faying.project.static_errors import find_static_errors

    def value(stage: str, part: PartialProgress) -> Any:
        return session.compute(Target(stage, body), part)

    basis, quality = (
        value("basis", PartialProgress(progress, 0.0, 0.7)),
        value("quality", PartialProgress(progress, 0.7, 0.9)),
    )
    jointed = None
    if session.body(body).contact_joints:
        jointed = value("joint_quality", PartialProgress(progress, 0.9, 1.0))
    groups = {group.name: group.stop - group.start for group in basis.groups}
    errors = find_static_errors(session.project, body, lambda name: _frames(session, body, name))
    kept = len(quality.reduced_frequencies)
    return {
        "body": body,
        "trial_vectors": groups,
        "left_out": list(basis.removed),
        "pod_ratio": {g: basis.pod_ratio(g) for g in _COUNTS if g <= len(basis.singular_values)},
        "trained": [asdict(each) for each in basis.trained],
        "joints": []
        if jointed is None
        else [
            {"state": state, "full": full.tolist(), "reduced": reduced.tolist()}
            for state, full, reduced in zip(jointed.states, jointed.full, jointed.reduced, strict=True)
        ],
        "stiffness_condition": quality.stiffness_condition,
        "mass_condition": quality.mass_condition,
        "highest_frequency": quality.highest_frequency,
        "admissible_step": quality.admissible_step,
        "full_frequencies": quality.full_frequencies[:kept].tolist(),
        "reduced_frequencies": quality.reduced_frequencies.tolist(),
        "frequency_differences": quality.frequency_differences.tolist(),
        "assurance": quality.assurance[:kept].diagonal().tolist(),
        "held_frequencies": quality.held_frequencies.tolist(),
        "effective_mass_shares": quality.mass_shares.tolist(),
        "static_errors": [
            {
                name: None if value != value else value for name, value in asdict(error).items()
            }  # nothing is known
            for error in errors
        ],
    }


def _frames(session: "Session", body: str, analysis: str) -> "FieldContext | None":
    """Return the frames of an analysis, None when it was not run to its end."""
    from faying.project.stage import Target

    for target in (Target("analysis", body, analysis), Target("body", body)):
        if session.state(target).status != "ready":
            return None
    return session.shown_body(analysis).body_context


def _print(found: dict[str, Any], units: Any) -> None:
    from faying.cli.terminal import table
    from faying.units import unit_text

    unit = unit_text("frequency", units)
    groups = ", ".join(f"{count} {name}" for name, count in found["trial_vectors"].items())
    conditions = f"{found['stiffness_condition']:.4g}, of the mass {found['mass_condition']:.4g}"
    print(f"body {found['body']}: {groups}\ncondition of the stiffness {conditions}")
    if found["highest_frequency"]:
        highest, step = found["highest_frequency"], found["admissible_step"]
        print(
            f"highest frequency {highest:.4g} {unit}, followed by steps of {step:.2g} {unit_text('time', units)}"
        )
    for sentence in found["left_out"]:
        print(f"left out: {sentence}")
    if found["pod_ratio"]:
        shares = ", ".join(f"{g}: {_percent(share)}" for g, share in found["pod_ratio"].items())
        print(f"share w(g) of the joint modes in %: {shares}")

    columns = [
        found[c] for c in ("full_frequencies", "reduced_frequencies", "frequency_differences", "assurance")
    ]
    rows: list[tuple[str, ...]] = [
        (f"{i}", f"{full:.5g}", f"{reduced:.5g}", _percent(difference), f"{mac:.4f}")
        for i, (full, reduced, difference, mac) in enumerate(zip(*columns, strict=True), 1)
    ]
    heads = ("mode", f"full [{unit}]", f"reduced [{unit}]", "NRED [%]", "MAC")
    print(f"\nfree vibration modes\n{table(rows, heads)}")

    for joint in found["joints"]:
        pairs = [(f, r) for f, r in zip(joint["full"], joint["reduced"], strict=True) if f == f and r == r]
        of_state = [
            (f"{i}", f"{f:.5g}", f"{r:.5g}", _percent(r / f - 1.0)) for i, (f, r) in enumerate(pairs, 1)
        ]
        names = ("mode", f"full [{unit}]", f"reduced [{unit}]", "too high [%]")
        print(f"\nfree vibration modes with {joint['state']} joints\n{table(of_state, names)}")
    if found["trained"]:
        trained = [
            (each["load"], *(_percent(each[name]) for name in ("motion", "allowed", "pressure", "reached")))
            for each in found["trained"]
        ]
        heads = ("load", "motion [%]", "allowed [%]", "pressure [%]", "of the load [%]")
        print(f"\nestimated errors under the loads that joint modes were made for\n{table(trained, heads)}")

    shares = found["effective_mass_shares"]
    rows = [
        (f"{frequency:.5g}", *map(_percent, row))
        for frequency, row in zip(found["held_frequencies"], shares, strict=True)
    ]
    rows.append(("sum", *(_percent(sum(column)) for column in zip(*shares, strict=True))))
    print("\neffective masses with the interface nodes at rest, % of the body's")
    print(table(rows, (f"mode [{unit}]", *_DIRECTIONS)))

    rows = [
        (e["load"], e["source"], _percent(e["displacement"]), _percent(e["gap"]))
        for e in found["static_errors"]
    ]
    if rows:
        print("\nstatic errors against the unreduced model")
        print(table(rows, ("load", "analyses", "displacements [%]", "gaps [%]")))
    else:
        print(
            "\nno static errors: run a static and an unreduced analysis of one load, or a convergence study"
        )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.3f}"
