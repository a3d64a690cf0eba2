"""Names of parts, joints, curves … in the paths of HDF5: any text is allowed, including the special characters of HDF5.

A ``/`` would make groups, ``.`` is the group itself, and a character of code zero ends a name. These, surrogate
characters, and the ``%`` that begins an escape are written as ``%2F;``, with their Unicode number; an empty name is
written as ``%;``. Blanks are kept.
"""

import re

_UNSAFE = re.compile("[%/\0\ud800-\udfff]|^\\.+$|^$")
_ESCAPE = re.compile("%([0-9A-F]{0,4});")


def path_of(*names: str) -> str:
    """Return the path of a dataset or group from the names on the way to it."""
    return "/".join(
        _UNSAFE.sub(lambda found: "".join(f"%{ord(sign):X};" for sign in found[0]) or "%;", name)
        for name in names
    )


def names_on(path: str) -> tuple[str, ...]:
    """Return the names that `path_of` made a path of; text that it never makes stays as it is."""
    return tuple(
        _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "", part)
        for part in path.split("/")
    )
