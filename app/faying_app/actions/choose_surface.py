"""Model ▸ Surface ▸ Choose."""

from functools import partial

import numpy as np

from faying.fem.selections import SurfaceSelection
from faying.fem.selections.box import BoxSelection
from faying.fem.selections.connected_part import ConnectedPartSelection
from faying.fem.selections.cylinder import CylinderSelection
from faying.fem.selections.deck_set import DeckSetSelection
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.selections.sphere import SphereSelection
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_surface
from faying_app.actions._surface_at_hand import picked, picked_alone, set_surface
from faying_app.context import Context
from faying_app.selection import SMOOTH_ANGLE

_ANGLES = (5.0, 10.0, 20.0, 40.0, 60.0)
_MOST_NAMES = 30


@actions.register("choose_surface")
class ChooseSurface(ChoosingAction):
    """Choose the selected surface again: round the picked face, by part, by a region, by a name of the deck."""

    title = "Replace the selection"
    menu = "Model/Surface"
    order = 138
    icon = "surface"
    meaning = "Choose the facets of the selected surface in another way."
    entities = ("surface",)
    needs = (a_surface,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer what fits the picked face and the deck."""
        body = context.selected_body()
        model = context.computed.model(body.name) if body is not None else None
        skin = context.computed.skin(body.name) if body is not None else None
        if self.why_disabled(context) or model is None or skin is None:
            return []
        offered: list[tuple[str, SurfaceSelection]] = []
        if context.selection.faces:
            face = context.selection.faces[-1]
            offered += [
                (f"Round the picked face, up to {a:g}° between facets", picked(context, a)) for a in _ANGLES
            ]
            offered.append(("The picked facet alone", picked_alone(context)))
            offered.append(("Whole part of the picked face", ConnectedPartSelection(element=face.element)))
            # Regions begin where they hold the picked face; the form moves and sizes them.
            facets = skin.grow(face.facet, SMOOTH_ANGLE)
            middles = skin.centroids[facets]
            low, high = middles.min(axis=0), middles.max(axis=0)
            margin = 1e-3 * float(np.linalg.norm(high - low)) or 1e-3 * float(np.sqrt(skin.areas[face.facet]))
            middle, radius = (low + high) / 2, float(np.linalg.norm(middles - (low + high) / 2, axis=1).max())
            # The normals of a cylinder lie across its axis.
            axis = np.linalg.eigh(skin.normals[facets].T @ skin.normals[facets])[1][:, 0]
            along = (middles - middle) @ axis
            away = float(np.linalg.norm(middles - middle - along[:, None] * axis, axis=1).max())
            start, end = middle + (along.min() - margin) * axis, middle + (along.max() + margin) * axis
            offered += [
                (
                    "Box round the picked face",
                    BoxSelection(corner=_point(low - margin), opposite=_point(high + margin)),
                ),
                (
                    "Sphere round the picked face",
                    SphereSelection(centre=_point(middle), radius=radius + margin),
                ),
                (
                    "Cylinder round the picked face",
                    CylinderSelection(start=_point(start), end=_point(end), radius=away + margin),
                ),
            ]
        offered += [
            (f"Deck surface {n}", DeckSurfaceSelection(name=n)) for n in sorted(model.surfaces)[:_MOST_NAMES]
        ]
        sets = sorted({*model.element_sets, *(n for n, rows in model.node_sets.items() if len(rows) > 2)})
        offered += [(f"Deck set {n}", DeckSetSelection(name=n)) for n in sets[:_MOST_NAMES]]
        return [Choice(title, partial(set_surface, context, "Choose", chosen)) for title, chosen in offered]


def _point(values: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (float(f"{v:.6g}") for v in values)
    return (x, y, z)
