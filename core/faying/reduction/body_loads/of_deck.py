"""A load defined in the deck: forces, pressures, gravity and temperatures that act together."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.fem.assembly import rigid_body_modes
from faying.fem.model import DeckLoad, FeModel
from faying.fem.pressure import traction_forces
from faying.fem.skin import Skin, surface_from_deck
from faying.fem.thermal import element_nodes, thermal_forces
from faying.params import parameter
from faying.reduction.body_loads import BodyLoad, LoadArrow, LoadedBody, body_loads

_ARROWS = 12  # largest number of drawn arrows per load


@body_loads.register("of_deck")
class LoadOfDeck(BodyLoad):
    """Its distribution and size are defined in the deck of Abaqus, CalculiX, Nastran or Ansys."""

    title: ClassVar[str] = "Load of the deck"
    not_in_motion: ClassVar[str] = "loads of a deck are those of the part at rest"

    load: str = parameter(
        "",
        title="Load of the deck",
        meaning='Its name: "LOAD 5" is load set 5 of a Nastran deck, "TEMP 5" temperature set 5; '
        '"F", "SFE" and "ACEL" are forces, pressures and weight of an Ansys database; "CLOAD 1", "PRESSURE 1", '
        '"GRAV 1", "DLOAD 1" and "TEMPERATURE 1" are those that the steps of an Abaqus deck bring, in this order.',
    )

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Return (n_dofs,) sum of forces, pressures, gravity and thermal forces of the deck's load."""
        load, model, dofs = self._of(on.model), on.model, on.matrices.dofs
        found = np.asarray(dofs.transformation.T @ self._on_nodes(load, on))
        for name, pressure in load.pressures:
            surface = surface_from_deck(model, name)
            found += pressure * on.on_dofs(traction_forces(surface, model.nodes, _pressed))
        if load.gravity.any():
            found += on.matrices.mass @ (rigid_body_modes(model.nodes, dofs)[:, :3] @ load.gravity)
        if (temperatures := self.temperatures(model)) is not None:
            if on.imported:
                raise ModelError(
                    "The stiffness comes from another program, which alone knows what hinders the growth.",
                    "Let the deck's own elements make the stiffness, or apply nodal forces.",
                )
            found += thermal_forces(model, dofs, temperatures)
        return found

    @staticmethod
    def _on_nodes(load: DeckLoad, on: LoadedBody) -> np.ndarray:
        """Return forces and moments on nodes over the full vector; raises ModelError if a node cannot carry them."""
        dofs, nodes = on.matrices.dofs, load.nodes
        full, rows = np.zeros(dofs.transformation.shape[0]), 3 * nodes[:, None] + np.arange(3)
        at = np.minimum(np.searchsorted(dofs.rotation_nodes, nodes), max(len(dofs.rotation_nodes) - 1, 0))
        turns = np.isin(nodes, dofs.rotation_nodes)
        moved = np.diff(dofs.transformation.indptr)[rows].any(axis=1) | turns
        twisted = load.forces[:, 3:].any(axis=1)
        if not (moved & (turns | ~twisted)).all():
            first = int(np.argmin(moved & (turns | ~twisted)))
            lacks = "rotations" if moved[first] else "element and no coupling"
            raise ModelError(
                f"{load.name} acts on node {on.model.node_ids[nodes[first]]}, which has no {lacks}.",
                "Mend the deck.",
            )
        np.add.at(full, rows, load.forces[:, :3])
        rotations = 3 * (dofs.n_nodes + at[twisted])[:, None] + np.arange(3)
        np.add.at(full, rotations, load.forces[twisted, 3:])
        return full

    def acts_on_mass(self, model: FeModel) -> bool:
        """Return whether the deck's load has gravity."""
        return bool(self._of(model).gravity.any())

    def temperatures(self, model: FeModel) -> np.ndarray | None:
        """Return (n,) temperature changes at the nodes of all elements, element by element; None without any."""
        of_deck = self._of(model).temperatures
        if not of_deck.any():
            return None
        at_nodes = np.zeros(len(model.nodes))  # nodes added by the project follow those of the deck
        at_nodes[: len(of_deck)] = of_deck
        return np.asarray(at_nodes[element_nodes(model)])

    def arrows(self, model: FeModel, skin: Skin | None) -> list[LoadArrow]:
        """Return an arrow at a few of the nodes with forces, and for gravity one in the middle of the body."""
        load = self._of(model)
        found = [
            LoadArrow(int(load.nodes[i]), load.forces[i, part], turns)
            for i in range(0, len(load.nodes), max(1, -(-len(load.nodes) // _ARROWS)))
            for part, turns in ((slice(0, 3), False), (slice(3, 6), True))
            if load.forces[i, part].any()
        ]
        if load.gravity.any():
            middle = np.argmin(np.linalg.norm(model.nodes - model.nodes.mean(axis=0), axis=1))
            found.append(LoadArrow(int(middle), load.gravity))
        return found

    def _of(self, model: FeModel) -> DeckLoad:
        wanted = self.load.strip().upper()
        found = next((load for name, load in model.deck_loads.items() if name.upper() == wanted), None)
        if found is None:
            known = ", ".join(model.deck_loads) or "none"
            raise ModelError(f"The deck has no load called {self.load!r}.", f"Loads of the deck: {known}.")
        return found


def _pressed(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return (m, 3) the force per area of a unit pressure."""
    return -normals
