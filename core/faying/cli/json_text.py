"""Results as JSON, for scripts."""

import json
import math
from typing import Any


def json_text(value: Any) -> str:
    """Return tables, lists, texts and numbers as JSON; null where a number is not finite, for JSON has no such."""
    return json.dumps(_finite(value), ensure_ascii=False, indent=1, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
