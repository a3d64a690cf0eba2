"""Names of faces in STEP files (ISO 10303-21), which Gmsh does not read."""

import re

Faces = tuple[tuple[str, str], ...]
"""Of each face of a body the kind of its surface ("Plane", "Cylinder", "" for others) and its name."""

_ENTITY = re.compile(r"#(\d+)\s*=\s*([A-Z0-9_]+)\s*\(((?:'(?:[^']|'')*'|[^';])*)\)\s*;")
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_REFERENCE = re.compile(r"#(\d+)")
_KINDS = {"PLANE": "Plane", "CYLINDRICAL_SURFACE": "Cylinder"}
_USUAL = ("", "NONE", "Face")


def face_names(text: str) -> list[Faces]:
    """Return the faces of each solid of a STEP file, in its order; empty for other texts.

    Args:
        text: content of the file.
    """
    entities = {number: (kind, values) for number, kind, values in _ENTITY.findall(text)}
    found = []
    for kind, values in entities.values():
        if kind not in ("MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS"):
            continue
        faces = []
        for shell in _REFERENCE.findall(_TEXT.sub("", values)):
            for face in _REFERENCE.findall(_TEXT.sub("", entities.get(shell, ("", ""))[1])):
                of_face, described = entities.get(face, ("", ""))
                if of_face in ("ADVANCED_FACE", "FACE_SURFACE"):
                    references = _REFERENCE.findall(_TEXT.sub("", described))
                    surface = entities.get(references[-1], ("", ""))[0] if references else ""
                    name = _TEXT.search(described)
                    said = name[1].replace("''", "'").strip() if name else ""
                    faces.append((_KINDS.get(surface, ""), "" if said in _USUAL else said))
        found.append(tuple(faces))
    return found
