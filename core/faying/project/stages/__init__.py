"""The stages from a deck to results: the table that the pipeline works through.

Only here a project is unpacked; the functions that compute take plain arguments and their own specs. The weights
are seconds for the friction bar with 19 000 nodes on one core.
"""

from faying.project.pipeline import Pipeline
from faying.project.stages.of_analyses import ANALYSIS_STAGES
from faying.project.stages.of_model import MODEL_STAGES
from faying.project.stages.of_reduction import REDUCTION_STAGES

STAGES = (*MODEL_STAGES, *REDUCTION_STAGES, *ANALYSIS_STAGES)
PIPELINE = Pipeline(STAGES)
