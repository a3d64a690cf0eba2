"""Durations as people read them."""


def duration(seconds: float) -> str:
    """Return a duration in words: "0.4 s", "12 s", "3 min 05 s"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"
