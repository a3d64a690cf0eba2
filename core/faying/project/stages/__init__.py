"""Stages from a deck to results. A member is one file; the pipeline runs them in order.

Only stages unpack a project; computing functions take plain arguments and their own specs.
"""

from faying.project.pipeline import Pipeline
from faying.project.stage import Stage
from faying.registry import Registry

stages: Registry[type[Stage[object]]] = Registry("stage", __name__)
STAGES = tuple(sorted((kind() for _, kind in stages.items()), key=lambda stage: stage.order))
PIPELINE = Pipeline(STAGES)
