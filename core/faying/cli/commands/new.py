"""``faying new``: a first study of a deck."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force

if TYPE_CHECKING:  # imported later: commands have to start quickly
    from faying.fem.model import FeModel
    from faying.project.joint_proposals import ProposedJoint
    from faying.project.specs import Project

_ENDINGS = (".toml",)
_JOINTS = """
# Where parts of the deck face each other; take the signs away of what is a joint.
{joints}"""
_TO_COME = """
# What is to be computed: take the signs away, say where the body is held and what pulls, and run it.
# [[analyses]]
# kind = "static"
# name = "first load"
# body = {body}
# support = {support}
# [[analyses.loads]]
# interface = {loaded}
# force = [0.0, 0.0, "100 N"]
"""
_LEFT_OUT = """
# Left out of the deck: {lines}.
"""
_NO_MATERIAL = """
# {count} elements have no material. Take the signs away for steel; `faying manual reference-material` lists others.
# [[bodies.materials]]
# kind = "library"
# name = "steel"
"""
_NO_NODE = """
# The deck has no node at which the body could be held or loaded. Coupling a surface to a new node makes one; the deck
# has the surfaces {surfaces}.
"""
_NODE = """# [[bodies.couplings]]
# name = {name}
# surface = {{ kind = "deck_surface", name = {surface} }}
# [[bodies.interfaces]]
# name = {name}
# node_set = {name}
"""


@commands.register("new")
class New(Command):
    """Reads a deck and writes a study with everything that can be guessed from it, as the window does at import."""

    summary = "write a first study of a deck, with what can be guessed from it"
    order = 27

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("deck", type=Path, metavar="DECK", help="an FE deck")
        parser.add_argument(
            "--out", type=Path, metavar="STUDY.toml", help="default: next to the deck, with its name"
        )
        parser.add_argument(
            "--units",
            metavar="SYSTEM",
            default="",
            help="in which the deck is written: mm-t-s, m-kg-s, … (default: guessed from materials and size)",
        )
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Write it, and print the guesses."""
        from faying.atomic import write_text
        from faying.cli.terminal import TerminalProgress
        from faying.fem.left_out import cases_left_out, in_short, left_out
        from faying.fem.readers import read_model
        from faying.fem.skin import find_skin
        from faying.fem.unit_guess import as_written_in, likely_units
        from faying.params import build
        from faying.progress import PartialProgress
        from faying.project.first_guess import asked_frequencies, guessed_analyses, with_guesses
        from faying.project.joint_proposals import in_words as proposal_in_words
        from faying.project.joint_proposals import proposed_joints, touched_surfaces
        from faying.project.next_steps import in_words, next_steps
        from faying.project.outputs import check_output, writing
        from faying.project.specs import BodySpec, ModelSpec, Project
        from faying.project.study import study_text
        from faying.project.study_comments import commented

        out: Path = args.out or args.deck.with_suffix(".toml")
        check_output(out, _ENDINGS, (args.deck,), replace=args.force)
        with TerminalProgress() as progress:
            model = read_model(args.deck, PartialProgress(progress, 0.0, 0.3))
            skin = find_skin(model)
            proposals = proposed_joints(model, skin, progress=PartialProgress(progress, 0.3, 1.0))
        likely = likely_units(model)
        units = args.units or (likely[0] if likely else Project.model_fields["units"].default)
        body = BodySpec(name=args.deck.stem, model=ModelSpec(path=str(args.deck.absolute())))
        body = with_guesses(body, model)
        analyses = guessed_analyses(body, model)
        parts = {"name": args.deck.stem, "units": units, "bodies": (body,), "analyses": analyses}
        project = build(Project, parts)
        text = commented(study_text(project, out.absolute().parent, complete=True, empty=False), project)
        with writing(out, endings=_ENDINGS, reads=(args.deck,), replace=args.force):
            facing = touched_surfaces(model, skin, proposals)
            open_proposals = [] if body.joints else proposals
            write_text(out, text + _what_is_missing(project, model, open_proposals, facing))
        guessed = project.bodies[0]
        print(
            f"units {units}: {as_written_in(model, units)}" + _remark_on_units(bool(args.units), len(likely))
        )
        for title, names in (
            ("interface nodes", [each.name for each in guessed.interfaces]),
            ("joints", [each.name + " (tied)" * guessed.is_tied(each) for each in guessed.joints]),
            ("preload cases", [each.name for each in guessed.preloads]),
            ("analyses", [each.name for each in project.analyses]),
        ):
            print(f"{title}: {', '.join(names) or 'none found'}")
        if asked := asked_frequencies(model):
            print(f"natural frequencies: {asked}; `faying quality {out}` tells them, interface nodes at rest")
        for each in open_proposals:
            print(f"proposed joint {proposal_in_words(each, units)}")
        if lost := left_out(model):
            print(f"warning: left out of the deck (`faying info` lists all): {in_short(lost)}")
        if cases := cases_left_out(model):
            print(f"steps and load cases that are left out: {in_short(cases)}")
        print(f"written: {out}")
        steps = next_steps(guessed, model, bool(project.analyses))
        ways = [step.in_study for step in steps]
        print(in_words(steps, ways) or "next: nothing is missing")
        print(f"then: faying check {out}; faying run {out}")
        return 0


def _remark_on_units(units_given: bool, likely: int) -> str:
    if units_given or likely == 1:
        return ""
    return " (a guess: materials and size fit " + ("several systems" if likely else "none") + "; see --units)"


def _what_is_missing(
    project: "Project", model: "FeModel", proposals: "list[ProposedJoint]", facing: set[str]
) -> str:
    """Return the decisions that the user has to add, as commented TOML: uncommented it becomes a study.

    Args:
        project: the guessed project.
        model: of the deck.
        proposals: joints that may be taken.
        facing: surfaces that face other parts, at which nothing is held or loaded.
    """
    from faying.cli.study_joints import joint_table
    from faying.fem.left_out import in_short, left_out
    from faying.project.joint_proposals import in_words

    body, lost = project.bodies[0], left_out(model)
    text = _LEFT_OUT.format(lines=" ".join(in_short(lost, 20).split())) if lost else ""
    bare = sum(len(block.ids) for block in model.blocks if not block.material)
    if bare:
        text += _NO_MATERIAL.format(count=bare)
    taken = {getattr(side, "name", "") for joint in body.joints for side in (joint.master, joint.slave)}
    free = [name for name in model.surfaces if name not in taken | facing]
    names = [each.name for each in body.interfaces]
    if not names and free:
        text += _NO_NODE.format(surfaces=", ".join(free))
        coupled = dict(zip(("held", "loaded"), free, strict=False))
        text += "".join(
            _NODE.format(name=_quoted(name), surface=_quoted(surface)) for name, surface in coupled.items()
        )
        names = list(coupled)
    names = names or ["an interface node"]
    if proposals:
        tables = [f"# {in_words(each, project.units)}\n{joint_table(each.joint)}" for each in proposals]
        lines = [f"# {line}".rstrip() for each in tables for line in each.splitlines()]
        text += _JOINTS.format(joints="\n".join(lines) + "\n")
    if project.analyses:
        return text
    told = {"body": body.name, "support": names[0], "loaded": names[-1]}
    return text + _TO_COME.format(**{key: _quoted(name) for key, name in told.items()})


def _quoted(name: str) -> str:
    """Return a name as a TOML string: of the characters that JSON leaves as they are, TOML forbids DEL alone."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
