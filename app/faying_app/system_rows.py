"""Node rows of a system in the 3D view: the nodes of all parts whose models have been read, one after the other."""

from collections.abc import Iterator
from typing import Any

from faying.fem.model import FeModel
from faying.multibody.system_spec import SystemSpec
from faying.project.specs import BodySpec, Project
from faying_app.computed import Computed


def parts_with_models(
    project: Project, computed: Computed, system: SystemSpec
) -> Iterator[tuple[Any, BodySpec, FeModel, int]]:
    """Give part, body, model and first row of each part whose body's model has been read."""
    first = 0
    for part in system.parts:
        body = next((b for b in project.bodies if b.name == part.body_name()), None)
        model = computed.model(body.name) if body is not None else None
        if body is not None and model is not None:
            yield part, body, model, first
            first += len(model.nodes)
