"""``faying info``: the contents of a study or project and the state of its results, or the names in a deck."""

import argparse
from pathlib import Path
from typing import Any

from faying.cli.commands import Command, commands


@commands.register("info")
class Info(Command):
    """Reads only; computes nothing."""

    summary = "show the contents of a study, project or deck"
    order = 40

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "file", type=Path, metavar="STUDY.toml|PROJECT.faying|DECK", help="the file to describe"
        )
        parser.add_argument("--json", action="store_true", help="write it as JSON")

    def run(self, args: argparse.Namespace) -> int:
        """Print the contents of the file and their state; 0."""
        from faying.cli.json_text import json_text
        from faying.cli.session import opened
        from faying.fem.readers import model_endings
        from faying.project.file import EXTENSION

        kind = args.file.suffix.lower()
        if kind not in (".toml", EXTENSION) and kind in model_endings():  # the readers take a while to load
            return _tell_deck(args.file, as_json=args.json)
        with opened(args.file) as session:
            found = _describe(session)
        if args.json:
            print(json_text(found))
            return 0
        print(f"{found['name']} ({found['units']}){': ' + found['note'] if found['note'] else ''}")
        for body in found["bodies"]:
            print(f"body {body['name']}: {body['deck']}")
            sizes = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in body["counts"].items())
            print(f"  {sizes or 'not read yet'}")
            if body["mass"]:
                mass, volume, centre = (_spoken(body[what]) for what in ("mass", "volume", "centre"))
                print(f"  mass {mass}, volume {volume}, centre of gravity {centre}")
            joints = [
                f"{joint} (tied)" if joint in body["tied_joints"] else joint for joint in body["joints"]
            ]
            print(f"  interface nodes: {', '.join(body['interfaces']) or 'none'}; "
                  f"joints: {', '.join(joints) or 'none'}")  # fmt: skip
            for joint, told in body["sticking"].items():
                why = ", which follows from its contact law" if told["follows"] else ""
                print(f"  joint {joint} sticks with {_spoken(told['stiffness'])}{why}")
        from faying.project.made_with import compared
        from faying.results.verdicts import percent

        for analysis in found["analyses"]:
            frames = f", {analysis['frames']} frames" if analysis["frames"] else ""
            print(f"analysis {analysis['name']} ({analysis['kind']}): {analysis['status']}{frames}")
            if analysis["error_estimate"]:
                shares = ", ".join(
                    f"{name} {percent(share)}" for name, share in analysis["error_estimate"].items()
                )
                print(f"  estimated error of the reduction: {shares}")
            for joint, share in analysis["tie_shares"].items():
                print(f"  weak ties of {joint} carry {percent(share)} of its load")
            for contact, told in analysis["contacts"].items():
                print(f"  {_touches(contact, told, found['units'])}")
            if sampling := analysis["sampling"]:
                acting = "; ".join(f"{own['pairs']} of {own['of']} pairs act in {joint}"
                                   for joint, own in sampling["joints"].items())  # fmt: skip
                print(
                    f"  {acting}: with all of them the deformation would change by {100 * sampling['error']:.2g} %"
                )
            if analysis["failed_tries"]:
                print(f"  {analysis['failed_tries']}")
            if analysis["made_with"]:
                told = (" ".join(made) for made in compared(analysis["made_with"]).items())
                print(f"  made with {'; '.join(told)}")
            for warning in analysis["warnings"]:
                print(f"  {warning}")
        for state in found["states"]:
            if state["status"] in ("ready", "missing", "doubtful"):
                continue  # intermediate artifacts are not kept in a project file; warnings are printed above
            why = f" ({'; '.join(state['why'])})" if state["why"] else ""
            print(f"  {state['target']}: {state['status']}{why}")
        return 0


def _touches(contact: str, told: dict[str, Any], units: str) -> str:
    """Return how many times two parts touched, and the touch of largest impulse."""
    from faying.units import unit_text

    count, strongest = told.get("touches", 0), told.get("strongest_touch", {})
    text = f"contact {contact}: {count} touch{'' if count == 1 else 'es'} ended"
    text += f", at most {told['most_closed']} {'node' if told['most_closed'] == 1 else 'nodes'} closed"
    if strongest:
        sizes = (
            ("impulse", strongest["impulse"], "impulse"), ("in", strongest["ends"] - strongest["begins"], "time"),
            ("peak", strongest["peak_force"], "force"),
        )  # fmt: skip
        said = ", ".join(f"{what} {value:.4g} {unit_text(kind, units)}" for what, value, kind in sizes)
        text += f"; the strongest: {said}, restitution {strongest['restitution']:.3g}"
    return text


def _tell_deck(path: Path, *, as_json: bool) -> int:
    from faying.cli.deck_contents import content_lines, deck_contents
    from faying.cli.json_text import json_text
    from faying.cli.terminal import TerminalProgress
    from faying.fem.readers import read_model

    with TerminalProgress(quiet=as_json) as progress:
        found = deck_contents(path, read_model(path, progress, outlines=True))
    print(json_text(found) if as_json else "\n".join(content_lines(found)))
    return 0


def _describe(session: Any) -> dict[str, Any]:
    from faying.project.stage import target_of
    from faying.results.verdicts import failed_tries

    states = session.pipeline.states(session.project, session.store, session.base)
    analyses = []
    for analysis in session.project.analyses:
        state = states.get(target_of(analysis))  # None where the body does not exist
        place = session.store.results(state.key) if state is not None and state.key else None
        recipe = session.store.recipe(state.key) if place is not None and state is not None else None
        frames, error, ties, sampling, contacts, tries = 0, {}, {}, {}, {}, ""
        if place is not None:
            results = place.open()
            frames, report = results.n_frames, results.report
            error, ties = report.get("error_estimate", {}), report.get("tie_shares", {})
            sampling, contacts = report.get("sampling", {}), report.get("contacts", {})
            tries = failed_tries(report, session.project.units)[1]
            results.close()
        analyses.append(
            {
                "name": analysis.name,
                "kind": analysis.kind,
                "of": analysis.owner,
                "status": state.word if state is not None else "missing",
                "warnings": list(state.warnings) if state is not None else [],
                "frames": frames,
                "error_estimate": error,
                "tie_shares": ties,
                "sampling": sampling,
                "contacts": contacts,
                "failed_tries": tries,
                "made_with": recipe.made_with if recipe is not None else {},
            }
        )
    return {
        "name": session.project.name,
        "note": session.project.note,
        "units": session.project.units,
        "bodies": [_body(session, body) for body in session.project.bodies],
        "analyses": analyses,
        "states": [
            {"target": str(target), "status": state.word, "why": [*state.why, *state.warnings]}
            for target, state in states.items()
        ],
    }


def _body(session: Any, body: Any) -> dict[str, Any]:
    from faying.project.stage import Target

    def value(stage: str, item: str = "") -> Any:
        return session.value(Target(stage, body.name, item))

    counts: dict[str, int] = {}
    model, matrices, reduced = value("model"), value("matrices"), value("body")
    if model is not None:
        counts |= {"nodes": len(model.nodes), "elements": len(model.element_ids)}
    if matrices is not None:
        counts["dofs"] = matrices.dofs.n_dofs
    pairs = [value("pairs", joint.name) for joint in body.contact_joints]
    if any(p is not None for p in pairs):
        counts["contact_pairs"] = sum(len(p) for p in pairs if p is not None)
    if reduced is not None:
        counts["flexible_coordinates"] = reduced.n_coordinates
    return {
        "name": body.name,
        "deck": body.model.path,
        "counts": counts,
        **_weight(model, reduced, session.project.units),
        "interfaces": [interface.name for interface in body.interfaces],
        "joints": [joint.name for joint in body.joints],
        "tied_joints": [joint.name for joint in body.tied_joints],
        "sticking": _sticking(session, body, model, pairs),
    }


def _sticking(session: Any, body: Any, model: Any, pairs: list[Any]) -> dict[str, Any]:
    """Return the sticking stiffness of each joint, if known, and whether it follows from the contact law."""
    from faying.errors import FayingError
    from faying.project.file_names import with_absolute_files
    from faying.project.friction_laws import friction_law_of
    from faying.units import unit_text

    found: dict[str, Any] = {}
    for joint, own in zip(body.contact_joints, pairs, strict=True):
        if (
            model is None
            or own is None
            or joint.friction_law is None
            or not joint.friction_law.stiffness_name
        ):
            continue
        try:
            law = friction_law_of(with_absolute_files(joint, session.base), model, own)
        except FayingError:  # `faying check` reports why
            continue
        assert law is not None
        stiffness = {
            "value": law.known_stiffness,
            "unit": unit_text("contact_stiffness", session.project.units),
        }
        found[joint.name] = {"stiffness": stiffness, "follows": joint.friction_law.leaves_open}
    return found


def _weight(model: Any, reduced: Any, units: str) -> dict[str, Any]:
    """Return mass, volume and centre of gravity with their units; None for unknown values."""
    from faying.errors import ModelError
    from faying.fem.mass_properties import mass_properties
    from faying.units import unit_text

    def given(value: Any, quantity: str) -> dict[str, Any]:
        return {"value": value, "unit": unit_text(quantity, units)}

    found: dict[str, Any] = {"mass": None, "volume": None, "centre": None}
    if model is None:
        return found
    try:
        measured = mass_properties(model)
    except ModelError:  # `faying check` reports the errors of the elements
        if reduced is None or reduced.inertia is None:
            return found
        centre = reduced.inertia.centre_of_mass.tolist()
        return {**found, "mass": given(reduced.total_mass, "mass"), "centre": given(centre, "length")}
    return {
        "mass": given(measured.mass, "mass"),
        "volume": given(measured.volume, "volume"),
        "centre": given(measured.centre.tolist(), "length"),
    }


def _spoken(given: dict[str, Any] | None) -> str:
    """Return a number, or several, with its unit as a text: "2.5 kg", "(1, 2, 3) mm"."""
    if given is None:
        return "not known"
    value = given["value"]
    text = f"({', '.join(f'{x:.6g}' for x in value)})" if isinstance(value, list) else f"{value:.6g}"
    return f"{text} {given['unit']}"
