"""Equations of the manual for a browser: lines of plain text, as the terminal shows them, become MathML.

Written are indented lines such as ``s_k = T_kᵀ (u_S − u_M)``: letters with subscripts behind an underscore and
superscripts as Unicode has them. Browsers set MathML without any script or font of ours.
"""

import html
import re

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ", "0123456789+−T")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₙₜᵢⱼ", "0123456789ntij")
_LETTER = r"[A-Za-zÀ-ÖØ-öø-ÿΑ-ωḀ-ỿ][\u0300-\u036f]*"
_TOKEN = re.compile(
    rf"(?P<gap> {{3,}})|(?P<number>\d+(?:\.\d+)?)|(?P<name>(?:{_LETTER})+[0-9]*)|(?P<other>\S)"
)
_LOWER = re.compile(r"_\{([^}]*)\}|_([A-Za-zΑ-ω0-9,]*[A-Za-zΑ-ω0-9])|([₀-₉ₙₜᵢⱼ]+)")
_UPPER = re.compile(r"[⁰¹²³⁴-⁹⁺⁻ᵀ]+")
_BLOCK = re.compile(r"(?:^    \S.*\n?)+", re.MULTILINE)


def with_equations(page: str) -> str:
    """Return a page of Markdown whose indented equations are MathML; commands and files stay as they are."""
    return _BLOCK.sub(lambda found: _set(found[0]), page)


def _set(block: str) -> str:
    lines = [line.strip() for line in block.strip("\n").splitlines()]
    if not all(" = " in line and not re.search(r'["{$]', line) for line in lines):
        return block
    rows = "".join(f'<math display="block"><mrow>{mathml(line)}</mrow></math>\n' for line in lines)
    return f'<div class="equation">\n{rows}</div>\n'


def mathml(line: str) -> str:
    """Return the elements of a line: variables with their indices, numbers, operators, words."""
    parts, at = [], 0
    while at < len(line):
        found = _TOKEN.match(line, at)
        if found is None:  # a single space
            at += 1
            continue
        at = found.end()
        if found["gap"]:
            parts.append('<mspace width="2em"/>')
        elif found["number"]:
            parts.append(f"<mn>{found['number']}</mn>")
        else:
            text = found["name"] or found["other"]
            base = _element(text)
            lower, upper = _LOWER.match(line, at), None
            at = lower.end() if lower else at
            upper = _UPPER.match(line, at)
            at = upper.end() if upper else at
            parts.append(_indexed(base, lower, upper))
    return "".join(parts)


def _element(text: str) -> str:
    safe = html.escape(text)
    if not text[0].isalpha():
        return f'<mo stretchy="false">{safe}</mo>'
    plain = re.sub(r"[\u0300-\u036f]", "", text)
    return f"<mtext>{safe}&#160;</mtext>" if len(plain) > 2 and plain.isascii() else f"<mi>{safe}</mi>"


def _indexed(base: str, lower: "re.Match[str] | None", upper: "re.Match[str] | None") -> str:
    under = "" if lower is None else (lower[1] or lower[2] or lower[3]).translate(_SUBSCRIPTS)
    over = "" if upper is None else upper[0].translate(_SUPERSCRIPTS)
    under, over = (f"<mi>{html.escape(x)}</mi>" if x else "" for x in (under, over))
    if under and over:
        return f"<msubsup>{base}{under}{over}</msubsup>"
    if under:
        return f"<msub>{base}{under}</msub>"
    return f"<msup>{base}{over}</msup>" if over else base
