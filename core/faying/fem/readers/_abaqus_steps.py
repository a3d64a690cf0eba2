"""Steps of a deck as load cases: `*STATIC` and `*FREQUENCY` with loads, supports and bolts.

Supported: `*BOUNDARY` (also with values, OP=NEW), `*CLOAD`, `*DLOAD` (P, GRAV, CENTRIF, BX, BY, BZ), `*DSLOAD` (P),
`*TEMPERATURE`, tabular `*AMPLITUDE`, and the tension of pre-tension sections. A load case is the state at the end of a
static step, reached linearly. A step with unsupported actions is not read as a load case but listed as unread.
"""

from dataclasses import dataclass, replace

import numpy as np

from faying.errors import ReadError
from faying.fem.model import DeckCase, DeckLoad, DeckSurface, FeModel
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_end_of_step import EndOfStep, LoadReader
from faying.fem.readers._abaqus_numbers import integer, real
from faying.fem.readers._abaqus_parts import Parts
from faying.fem.readers._abaqus_scopes import written
from faying.fem.readers._deck_supports import shared_support, with_usable_support

_LOADS = {"BOUNDARY", "CLOAD", "DLOAD", "DSLOAD", "TEMPERATURE"}
_PROCEDURES = {
    "STATIC", "FREQUENCY", "DYNAMIC", "MODALDYNAMIC", "STEADYSTATEDYNAMICS", "HEATTRANSFER", "BUCKLE", "VISCO",
    "COUPLEDTEMPERATURE-DISPLACEMENT", "UNCOUPLEDTEMPERATURE-DISPLACEMENT", "COMPLEXFREQUENCY", "GREEN",
    "SENSITIVITY", "FEASIBLEDIRECTION", "SUBSTRUCTUREGENERATE", "ELECTROMAGNETICS", "CFD", "ROBUSTDESIGN",
    "CRACKPROPAGATION", "RANDOMRESPONSE", "RESPONSESPECTRUM", "DIRECTCYCLIC", "GEOSTATIC", "SOILS", "MASSDIFFUSION",
}  # fmt: skip
STEP_CARDS = written(["STEP", "STATIC", "FREQUENCY", *sorted(_LOADS), "AMPLITUDE", "INITIALCONDITIONS"])
"""Cards that load cases are made of."""
# Unsupported cards in a step that change loads, supports or contact.
_ACTING = {
    "MODELCHANGE", "CONTACTPAIR", "CHANGEFRICTION", "FRICTION", "CONNECTORLOAD", "CONNECTORMOTION", "INERTIARELIEF",
    "BASEMOTION", "FIELD", "PRESSURESTRESS", "CFLUX", "DFLUX", "FILM", "RADIATE", "CONTACTINTERFERENCE",
    "CHANGEMATERIAL", "CHANGESURFACEBEHAVIOR", "CHANGESOLIDSECTION", "CYCLICSYMMETRYMODES",
    "SELECTCYCLICSYMMETRYMODES", "SUBSTRUCTURELOADCASE",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Step:
    """A step that may become a load case, with its state at the end; a general step continues the previous one."""

    card: Card
    name: str
    acting: EndOfStep
    bolts: tuple[tuple[str, float], ...]
    is_general: bool
    modes: int
    reasons: tuple[str, ...]


def with_steps(model: FeModel, parts: Parts) -> FeModel:
    """Return the model with the support, loads and cases of the deck's steps; the rest is listed as unread."""
    reader, unread = LoadReader(parts, model), parts.deck.unread
    acting, initial = EndOfStep(), EndOfStep()
    for card in parts.deck.initial:
        if card.keyword == "BOUNDARY":
            _take(reader, card, acting)
        else:
            _take(reader, _as_temperatures(card), initial)
    held_first = acting.copied()
    for reason in acting.odd:
        unread.card(parts.deck.initial[0], reason)
    found = list[_Step]()
    for number, (card, *inside) in enumerate(parts.deck.steps, 1):
        step = _read_step(parts, reader, card, inside, acting, number, initial, model)
        found.append(step)
        if not step.modes and "PERTURBATION" not in card.parameters:
            acting = step.acting
    good = [step for step in found if not step.reasons]
    # A deck without steps has the supports of its model data.
    states = [step.acting.held for step in good] or [held_first.held]
    shared = shared_support(states, model.nodes, reader.transforms)
    if not shared.support and held_first.held:
        unread.card(parts.deck.initial[0], *dict.fromkeys(shared.reasons.values()))
    made = _Loads(model, parts, reader, initial.temperatures)
    cases, before = list[DeckCase](), None  # the static step that the next one continues
    for step in found:
        reasons = list(step.reasons)
        if not reasons:
            at = good.index(step)
            displacements = shared.displacements[at]
            if displacements is None:
                reasons.append(shared.reasons[at])
        if reasons:
            unread.card(step.card, f"the step is no analysis: {'; '.join(dict.fromkeys(reasons))}")
            before = None
            continue
        assert displacements is not None
        loads = () if step.modes else made.named(step.acting)
        acts = loads or step.bolts or step.modes or any(value for _, _, value in displacements)
        if not acts and before is None:
            unread.card(step.card, "the step is no analysis: nothing acts in it")
            continue
        follows = step.is_general and before is not None
        cases.append(DeckCase(step.name, loads, displacements, step.bolts, follows, step.modes))
        if step.is_general:
            before = step.card
    for card in parts.deck.amplitudes:
        if card.name("NAME") not in reader.followed:
            unread.card(card, "no load that is taken over follows it")
    whole = replace(
        model,
        deck_support=shared.support,
        deck_loads=made.loads,
        surfaces=model.surfaces | made.surfaces,
        deck_cases=tuple(cases),
    )
    first = next(iter((*parts.deck.initial, *(card for step in parts.deck.steps for card in step))), None)
    return with_usable_support(whole, lambda reason: unread.card(first, reason) if first else None)


def _as_temperatures(card: Card) -> Card:
    """Return `*INITIAL CONDITIONS, TYPE=TEMPERATURE` as a card of temperatures."""
    parameters = {name: value for name, value in card.parameters.items() if name != "TYPE"}
    return replace(card, keyword="TEMPERATURE", parameters=parameters)


def _take(reader: LoadReader, card: Card, acting: EndOfStep) -> None:
    """Apply a card; an error in it does not make the model unusable."""
    try:
        reader.take(card, acting)
    except ReadError as error:
        acting.odd[error.message] = card.keyword


def _read_step(
    parts: Parts,
    reader: LoadReader,
    card: Card,
    inside: list[Card],
    before: EndOfStep,
    number: int,
    initial: EndOfStep,
    model: FeModel,
) -> _Step:
    """Return a step; `before` is the state at the end of the previous one."""
    unread, reasons = parts.deck.unread, list[str]()
    procedure = next((each for each in inside if each.keyword in _PROCEDURES), None)
    is_static = procedure is not None and procedure.keyword == "STATIC"
    is_modal = procedure is not None and procedure.keyword == "FREQUENCY"
    perturbs = "PERTURBATION" in card.parameters
    acting = before.without_loads() if perturbs and is_static else before.copied()
    if procedure is None:
        reasons.append("it has no *STATIC and no *FREQUENCY")
    elif not is_static and not is_modal:
        reasons.append(procedure.title)
    length = _length(procedure, reasons)
    reader.begin(length)
    tightened: dict[str, float] = {}
    for each in inside:
        if each.keyword in _LOADS:
            known = dict(acting.bolts)
            _take(reader, each, acting)
            tightened |= {name: force for name, force in acting.bolts.items() if known.get(name) != force}
        elif each.keyword in _ACTING:
            unread.card(each)
            reasons.append(each.title)
        elif each is not procedure and each.keyword != "AMPLITUDE":
            unread.card(each)
    reader.time += 0.0 if perturbs or is_modal else length
    if is_static or is_modal:
        reasons += acting.odd
        reasons += _thermal_reasons(acting, initial, model, parts)
    if "NLGEOM" in card.parameters and card.name("NLGEOM") != "NO" and not reasons:
        unread.note(card.place, f"NLGEOM of {card.text}: displacements are taken as small")
    if perturbs and is_modal and not reasons:
        unread.note(card.place, f"{card.text}: the stresses of the step before do not stiffen the body")
    if perturbs and is_static and not reasons:
        unread.note(card.place, f"{card.text}: its own loads act alone, as Abaqus takes it")
    if not reasons and is_static:
        for name in acting.bolts.keys() - acting.locked - tightened.keys():
            unread.note(
                card.place,
                f"{card.text}: the force of bolt {name} goes on in the deck; here it is locked at its length",
            )
    modes = _modes(procedure, reasons) if is_modal and procedure is not None else 0
    name = card.parameters.get("NAME", "").strip('"') or f"step {number}"
    return _Step(
        card, name, acting, tuple(tightened.items()), is_static and not perturbs, modes, tuple(reasons)
    )


def _length(procedure: Card | None, reasons: list[str]) -> float:
    """Return the duration of a step: the second number of its procedure, 1 by default."""
    try:
        place, fields = (
            next(iter(procedure.rows())) if procedure is not None and procedure.lines else (None, [])
        )
        return (real(fields[1], place, "a time") if len(fields) > 1 and place is not None else 0.0) or 1.0
    except ReadError as error:
        reasons.append(error.message)
        return 1.0


def _modes(procedure: Card, reasons: list[str]) -> int:
    """Return the number of natural frequencies requested by a step."""
    try:
        place, fields = next(iter(procedure.rows()))
        return max(1, integer(fields[0], place, "a number of frequencies"))
    except (ReadError, StopIteration):
        reasons.append("*FREQUENCY without the number of frequencies")
        return 1


def _thermal_reasons(acting: EndOfStep, initial: EndOfStep, model: FeModel, parts: Parts) -> list[str]:
    """Return why temperatures are not supported; empty if they have no effect."""
    if not acting.temperatures or not any(each.expansion for each in model.materials.values()):
        return []
    cards = [card for scope in parts.deck.scopes for card in scope.having("ELASTIC", "EXPANSION")]
    tables = [card for card in cards if len(card.lines) > 1]
    return [*initial.odd, *(f"temperatures with a table of {card.title}" for card in tables[:1])]


class _Loads:
    """The deck's loads by name; loads common to several steps occur once."""

    def __init__(self, model: FeModel, parts: Parts, reader: LoadReader, initial: dict[int, float]) -> None:
        self._model, self._initial, self._transforms = model, initial, reader.transforms
        self.loads: dict[str, DeckLoad] = {}
        self.surfaces: dict[str, DeckSurface] = {}
        self._known: dict[tuple[str, object], str] = {}

    def named(self, acting: EndOfStep) -> tuple[tuple[str, float], ...]:
        """Return the names of the loads that act in a step."""
        names = [
            self._forces("CLOAD", self._of_nodes(acting)),
            self._pressures(acting),
            *(self._forces("DLOAD", _six(field)) for field in acting.fields.values()),
            self._gravity(acting),
            self._temperatures(acting),
        ]
        return tuple((name, 1.0) for name in names if name)

    def _add(self, kind: str, key: object, load: DeckLoad) -> str:
        """Return the name of a load, an existing one if equal; "" for a zero load."""
        if load.is_empty:
            return ""
        if (kind, key) not in self._known:
            count = 1 + sum(own == kind for own, _ in self._known)
            name = f"{kind} {count}"
            self._known[kind, key] = name
            self.loads[name] = replace(load, name=name)
        return self._known[kind, key]

    def _of_nodes(self, acting: EndOfStep) -> np.ndarray:
        forces = np.zeros((len(self._model.nodes), 6))
        for (row, component), size in acting.forces.items():
            axes = self._transforms.get(row, np.eye(3))
            part = slice(0, 3) if component <= 3 else slice(3, 6)
            forces[row, part] += size * axes[(component - 1) % 3]
        return forces

    def _forces(self, kind: str, forces: np.ndarray) -> str:
        rows = np.flatnonzero(forces.any(axis=1))
        return self._add(
            kind, (rows.tobytes(), forces[rows].tobytes()), _load(nodes=rows, forces=forces[rows])
        )

    def _pressures(self, acting: EndOfStep) -> str:
        by_size: dict[float, list[tuple[int, int]]] = {}
        for face, size in acting.pressed.items():
            if size:
                by_size.setdefault(size, []).append(face)
        pressures = [(name, size) for name, size in acting.surfaces.items() if size]
        for size, faces in by_size.items():
            pressures.append((self._pressed(sorted(faces)), size))
        return self._add("PRESSURE", tuple(pressures), _load(pressures=tuple(pressures)))

    def _pressed(self, faces: list[tuple[int, int]]) -> str:
        """Return the name of the surface of faces loaded by pressure."""
        elements, sides = np.array(faces, np.int64).T
        key = "surface", (elements.tobytes(), sides.tobytes())
        if key not in self._known:
            name = f"DLOAD {1 + len(self.surfaces)}"
            self._known[key] = name
            self.surfaces[name] = DeckSurface(name, elements.copy(), sides.copy(), np.zeros(0, np.int64))
        return self._known[key]

    def _gravity(self, acting: EndOfStep) -> str:
        gravity = sum(acting.weights.values(), np.zeros(3))
        return self._add("GRAV", gravity.tobytes(), _load(gravity=gravity))

    def _temperatures(self, acting: EndOfStep) -> str:
        if not any(each.expansion for each in self._model.materials.values()):
            return ""
        changes = np.zeros(len(self._model.nodes))
        for row, value in acting.temperatures.items():
            changes[row] = value - self._initial.get(row, 0.0)
        return self._add("TEMPERATURE", changes.tobytes(), _load(temperatures=changes))


def _six(forces: np.ndarray) -> np.ndarray:
    return np.hstack([forces, np.zeros_like(forces)])


def _load(
    nodes: np.ndarray | None = None,
    forces: np.ndarray | None = None,
    pressures: tuple[tuple[str, float], ...] = (),
    gravity: np.ndarray | None = None,
    temperatures: np.ndarray | None = None,
) -> DeckLoad:
    return DeckLoad(
        "",
        np.zeros(0, np.int64) if nodes is None else nodes,
        np.zeros((0, 6)) if forces is None else forces,
        pressures,
        np.zeros(3) if gravity is None else gravity,
        np.zeros(0) if temperatures is None else temperatures,
    )
