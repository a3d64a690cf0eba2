"""First proposal for a body, guessed from its deck; the window and ``faying new`` offer it."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from faying.analyses import BodyAnalysis
from faying.analyses.static import Static
from faying.analyses.statics.displacements import COMPONENTS
from faying.analyses.steps import Steps
from faying.analyses.unreduced_static import UnreducedStatic
from faying.analyses.unreduced_steps import UnreducedSteps
from faying.fem.densities import materials_without_density
from faying.fem.model import BeamSection, ContactProposal, DeckCase, FeModel
from faying.fem.springs import loose_ends
from faying.fem.supports import GROUND, moved_components
from faying.fem.ties import TieSpec
from faying.joints.search import FOR_NEW_JOINTS
from faying.params import unused_name
from faying.project.specs import BodySpec, InterfaceSpec, JointSpec
from faying.reduction.body_loads.of_deck import LoadOfDeck
from faying.reduction.body_loads.of_file import LoadOfFile
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying.reduction.preload import PreloadSpec

_ROUGHEST = 10.0  # decks use 1e10 and more for sticking surfaces
S = TypeVar("S", InterfaceSpec, JointSpec)


def with_guesses(body: BodySpec, model: FeModel) -> BodySpec:
    """Return the body with interface nodes, joints and a preload case guessed from its deck.

    Interface nodes: node sets of a single node that is the reference node of a coupling and neither belongs to a beam
    nor is the centre of a cut bolt, and reference nodes without a set and other uses. Supports of the deck go to the
    ground of the supports, unless they consist of one such node; displaced nodes get separate interface nodes. The
    preload case tightens the deck's bolts with its forces. Loads are those of the deck's load cases, and vibration
    modes as many as requested natural frequencies. Joints: contact defined by the deck, and pairs of surfaces whose
    names differ only in MASTER and SLAVE. For a body read in reduced form, all items named in its file.
    """
    if body.model.is_reduced:
        return _of_reduced(body, model)
    references = {coupling.reference for coupling in model.couplings}
    if model.deck_support is None and model.blocks:  # grounded ends of springs must be held
        references |= set(loose_ends(model).tolist())
    beams = [b.connectivity.ravel() for b in model.blocks if isinstance(b.section, BeamSection)]
    others = set(np.concatenate(beams).tolist()) if beams else set()
    others |= {centre for bolt in model.bolts for centre in bolt.centres}
    support = model.deck_support
    followers = [np.setdiff1d(c.nodes, [c.reference]) for c in model.couplings if c.kind == "kinematic"]
    others |= set(np.concatenate(followers).tolist()) if followers else set()
    on_ground = support is not None and _held_alone(model, references - others) is None
    if on_ground and support is not None:
        others |= set(support.nodes.tolist())
    set_at: dict[int, str] = {}  # the first of several node sets at a node
    for name, rows in model.node_sets.items():
        if len(rows) == 1 and int(rows[0]) in references - others:
            set_at.setdefault(int(rows[0]), name)
    interfaces = [
        InterfaceSpec(name=name.removeprefix("REF_").lower() or name, node_set=name)
        for name in set_at.values()
    ]
    interfaces += [
        InterfaceSpec(name=coupling.name, node=int(model.node_ids[coupling.reference]))
        for coupling in model.couplings
        if coupling.reference in references - others - set(set_at) - _at_work(model)
    ]
    joints = [_joint_of(contact, model) for contact in model.contacts]
    taken = {contact.master for contact in model.contacts}
    for name in model.surfaces:
        if name in taken:
            continue
        slave = re.sub("MASTER", "SLAVE", name, flags=re.IGNORECASE)
        if slave != name and (found := _surface(model, slave)):
            title = re.sub(r"[_\- ]*MASTER[_\- ]*", "", name, flags=re.IGNORECASE).lower() or "joint"
            joints.append(
                JointSpec(
                    name=title,
                    master={"kind": "deck_surface", "name": name},
                    slave={"kind": "deck_surface", "name": found},
                    search=FOR_NEW_JOINTS,
                )
            )
    if on_ground and support is not None:
        interfaces += [
            InterfaceSpec(name=name, node_set=name, components=own)
            for name, own in moved_components(model).items()
        ]
    loads = [
        {"kind": "bolt_force", "bolt": bolt.name, "force": bolt.force} for bolt in model.bolts if bolt.force
    ]
    acting = dict.fromkeys(name for case in model.deck_cases for name, _ in case.loads)
    guessed: BodySpec = body.with_(
        interfaces=_numbered(interfaces),
        deck_supports=on_ground,
        joints=_numbered(joints),
        preloads=(PreloadSpec(name="bolts", loads=loads),) if loads else (),
        loads=tuple(LoadOfDeck(name=name, load=name) for name in acting),
    )
    modes = max((case.modes for case in model.deck_cases), default=0)
    if modes and hasattr(guessed.reduction, "vibration_modes"):
        guessed = guessed.with_(reduction=guessed.reduction.with_(vibration_modes=modes))
    return guessed


def guessed_analyses(body: BodySpec, model: FeModel, taken: Iterable[str] = ()) -> tuple[BodyAnalysis, ...]:
    """Return an analysis for each static load case of the deck, and one for each sequence of consecutive steps.

    If a material has no density, analyses of the unreduced body are used, which need none. Steps that request natural
    frequencies give no analysis, since the quality of the reduction basis contains them.

    Args:
        body: as `with_guesses` returned it.
        model: of its deck.
        taken: names of other analyses of the project.
    """
    support = _held_at(body, model)
    if not support:
        return ()
    rows = list[list[DeckCase]]()
    for case in model.deck_cases:
        if case.modes:
            continue
        if case.follows and rows:
            rows[-1].append(case)
        else:
            rows.append([case])
    weighs = not materials_without_density(model)
    found, names = list[BodyAnalysis](), set(taken)
    for cases in rows:
        name = unused_name(
            cases[0].name if len(cases) == 1 else f"{cases[0].name} to {cases[-1].name}", names
        )
        names.add(name)
        common = {"name": name, "body": body.name, "support": support}
        if len(cases) > 1:
            steps = [step for at, case in enumerate(cases) for step in _steps_of(case, cases[:at])]
            found.append((Steps if weighs else UnreducedSteps)(**common, steps=steps))
            continue
        (case,) = cases
        preloads = tuple(each.name for each in body.preloads) if case.bolts else ()
        acts = {"preloads": preloads, "body_loads": _acting(case), "displacements": _displaced(case)}
        found.append((Static if weighs else UnreducedStatic)(**common, **acts))
    return tuple(found)


def asked_frequencies(model: FeModel) -> str:
    """Return the natural frequencies requested by the deck as text: "3 of step 2"; "" for none."""
    return ", ".join(f"{case.modes} of {case.name}" for case in model.deck_cases if case.modes)


def _held_at(body: BodySpec, model: FeModel) -> str:
    """Return the interface node for the deck's support; "" if nothing is held."""
    if model.deck_support is None:
        return ""
    none = np.zeros(0, np.int64)
    rows = {interface.name: model.node_sets.get(interface.node_set, none) for interface in body.interfaces}
    if body.deck_supports:
        return next((each.name for each in body.interfaces if each.node_set == GROUND), "")
    held = _held_alone(model, {int(own[0]) for own in rows.values() if len(own) == 1})
    return next((name for name, own in rows.items() if held is not None and list(own) == [held]), "")


def _held_alone(model: FeModel, nodes: set[int]) -> int | None:
    """Return the only held node of the deck, if held in all directions and among these nodes."""
    support = model.deck_support
    assert support is not None
    held = set(support.nodes.tolist())
    whole = len(held) == 1 and held <= nodes and set(support.components.tolist()) == {1, 2, 3, 4, 5, 6}
    return held.pop() if whole and not support.displaced_nodes else None


def _acting(case: DeckCase) -> list[dict[str, Any]]:
    return [{"load": load, "factor": factor} for load, factor in case.loads]


def _displaced(case: DeckCase) -> list[dict[str, Any]]:
    """Return the displacements of a case, node by node."""
    found: dict[str, dict[str, Any]] = {}
    for node, component, value in case.displacements:
        found.setdefault(node, {"interface": node})[COMPONENTS[component - 1]] = value
    return list(found.values())


def _steps_of(case: DeckCase, before: Sequence[DeckCase]) -> list[dict[str, Any]]:
    """Return the steps of a sequence for a step of the deck: its bolts one after the other, then its loads."""
    found: list[dict[str, Any]] = [
        {"kind": "tighten", "name": f"{case.name}: {bolt}", "bolt": bolt, "force": force}
        for bolt, force in case.bolts
    ]
    acts = {"loads": case.loads, "displacements": case.displacements}
    known = {"loads": before[-1].loads, "displacements": before[-1].displacements} if before else {}
    if any(acts.values()) if not known else acts != known:
        step = {
            "kind": "load",
            "name": case.name,
            "body_loads": _acting(case),
            "displacements": _displaced(case),
        }
        found.append(step)
    return found


def _at_work(model: FeModel) -> set[int]:
    """Return rows of nodes of elements, springs, equations or masses, where a reference node is not a free end."""
    rows = [block.connectivity.ravel() for block in model.blocks]
    rows += [spring.nodes for spring in model.springs] + [equations.nodes for equations in model.equations]
    rows.append(np.array([point.node for point in model.point_masses], np.int64))
    return set(np.concatenate(rows).tolist())


def _numbered(found: Iterable[S]) -> tuple[S, ...]:
    """Return interface nodes or joints with repeated names numbered."""
    made: dict[str, S] = {}
    for each in found:
        name = unused_name(each.name, made)
        made[name] = each if name == each.name else each.with_(name=name)
    return tuple(made.values())


def _of_reduced(body: BodySpec, model: FeModel) -> BodySpec:
    """Return the body with all items named in its file."""
    joints = {contact.master for contact in model.contacts} | {contact.slave for contact in model.contacts}
    touched = [name for name in model.surfaces if name not in joints]
    guessed: BodySpec = body.with_(
        interfaces=tuple(InterfaceSpec(name=name, node_set=name) for name in model.node_sets),
        joints=_numbered(_joint_of(contact, model) for contact in model.contacts),
        preloads=tuple(PreloadSpec(name=case) for case in model.preload_cases),
        loads=tuple(LoadOfFile(name=load) for load in model.body_loads),
        contact_surfaces=tuple(
            ContactSurfaceSpec(name=name, surface={"kind": "deck_surface", "name": name}) for name in touched
        ),
    )
    return guessed


def _joint_of(contact: ContactProposal, model: FeModel) -> JointSpec:
    search, tie = FOR_NEW_JOINTS, TieSpec()
    if contact.adjustment is not None:
        # Penetrating nodes are adjusted whatever their depth, up to the body's size.
        depth = float(f"{np.linalg.norm(np.ptp(model.nodes, axis=0)):.1g}")
        search = search.with_(close_gaps_below=contact.adjustment, remove_penetration_below=depth)
        tie = TieSpec(distance=contact.adjustment, adjust=True)
    friction = {
        "kind": "coulomb",
        "friction_coefficient": min(contact.friction_coefficient, _ROUGHEST),
        "sticking_stiffness": contact.sticking_stiffness or None,
    }
    law = {"kind": "linear_penalty", **({"stiffness": contact.stiffness} if contact.stiffness else {})}
    return JointSpec(
        name=contact.name,
        master={"kind": "deck_surface", "name": contact.master},
        slave={"kind": "deck_surface", "name": contact.slave},
        treatment="tied" if contact.tied else "contact",
        tie=tie,
        search=search,
        contact_law=law,
        friction_law=friction if contact.friction_coefficient else None,
    )


def _surface(model: FeModel, name: str) -> str:
    return next((known for known in model.surfaces if known.upper() == name.upper()), "")
