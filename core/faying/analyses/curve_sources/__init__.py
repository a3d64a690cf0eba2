"""Sources of curves: each declares which curves it offers of a body or system, and gives their values in a state.

A member is one file; its curves are in every analysis of such a body or system, form, report, sweep and table.
"""

from faying.analyses.recording.curve_source import (
    BodyCurveSource,
    BodyState,
    CurveSource,
    RecordedBody,
    RecordedRun,
    RecordedSystem,
    RunNumbers,
    SystemCurveSource,
    SystemState,
)
from faying.registry import Registry

__all__ = [
    "BodyCurveSource", "BodyState", "CurveSource", "RecordedBody", "RecordedRun", "RecordedSystem", "RunNumbers",
    "SystemCurveSource", "SystemState", "curve_sources",
]  # fmt: skip

curve_sources: Registry[type[CurveSource]] = Registry("curve source", __name__)
"""Sources of curves by name."""
