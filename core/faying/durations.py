"""Durations in a readable form."""

_DAY = 86400.0
_YEAR = 365.25 * _DAY


def duration(seconds: float) -> str:
    """Return a duration in words: "0.4 s", "12 s", "3 min 05 s", "2 h 10 min", "12 days", "300 years"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 2 * 3600:
        return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"
    if seconds < 2 * _DAY:
        return f"{int(seconds) // 3600} h {int(seconds) % 3600 // 60:02d} min"
    return f"{seconds / _DAY:.0f} days" if seconds < 2 * _YEAR else f"{seconds / _YEAR:.3g} years"
