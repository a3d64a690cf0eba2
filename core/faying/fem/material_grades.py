"""Grades that the library's materials represent, and sources of their values.

Separate from the values, so that a corrected text does not make results stale.
"""

from faying.fem.materials.library import LibraryName

_DUBBEL = "Dubbel, Taschenbuch für den Maschinenbau, chapter E"

GRADES: dict[LibraryName, tuple[str, str]] = {
    "steel": (
        "unalloyed and low-alloyed: S235, S355, C45, 42CrMo4",
        "EN 1993-1-1, 3.2.6; EN 10025, EN ISO 683",
    ),
    "stainless_steel": ("austenitic, X5CrNi18-10 (1.4301)", "EN 10088-1, annex A"),
    "spring_steel": ("EN 10270-1, 51CrV4", "EN 13906-1, table 3"),
    "grey_cast_iron": ("EN-GJL-250", "EN 1561, annex A"),
    "ductile_cast_iron": ("EN-GJS-400-15", "EN 1563, annex"),
    "aluminium": ("EN AW-6082 T6; alloys differ by 3 %", "EN 1999-1-1, 3.2.5"),
    "magnesium": ("AZ91", _DUBBEL),
    "titanium": ("Ti-6Al-4V", "ASTM B348; " + _DUBBEL),
    "copper": ("Cu-ETP", _DUBBEL),
    "brass": ("CuZn37", _DUBBEL),
    "bronze": ("CuSn6", _DUBBEL),
    "nickel_alloy": ("alloy 718", "AMS 5662; manufacturers' sheets"),
    "glass": ("soda-lime float glass", "EN 572-1"),
    "polyamide": ("PA 66, dry; wet about half as stiff", _DUBBEL),
    "peek": ("unfilled", "ISO 23153-1; manufacturers' sheets"),
}
