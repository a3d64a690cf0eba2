"""Numbers of things in words."""

_SEVERAL = {"body": "bodies", "analysis": "analyses"}


def counted(count: int, thing: str) -> str:
    """Return "1 joint", "2 joints", "3 bodies"."""
    words = thing if count == 1 else _SEVERAL.get(thing, f"{thing}s")
    return f"{count} {words}"


def frame_number(axis: str, frame: int, count: int) -> str:
    """Return which of the frames one is: "frame 5 of 23", where the first is 0, as in forms and on the command line.

    Mode shapes count from 1, as they are called.

    Args:
        axis: of the frames.
        frame: number of the frame, from 0.
        count: of all frames.
    """
    return f"mode {frame + 1} of {count}" if axis == "mode" else f"frame {frame} of {count - 1}"
