"""Fields: a value per contact pair or node at a frame, evaluated on demand. A member is one file."""

from faying.registry import Registry
from faying.results.field import (
    CASES,
    CONTACT,
    CYCLE,
    FRICTION,
    MODEL,
    PAIRS,
    RUN,
    STRENGTH,
    TIME,
    Field,
    FieldContext,
    FieldSource,
    Need,
)
from faying.results.kept import Kept

__all__ = [
    "CASES", "CONTACT", "CYCLE", "FRICTION", "MODEL", "PAIRS", "RUN", "STRENGTH", "TIME", "Field", "FieldContext",
    "FieldSource", "Kept", "Need", "fields",
]  # fmt: skip

fields: Registry[type[Field]] = Registry("field", __name__)
