"""Numbers as people like to read them: round ticks, one common power of ten, a true minus sign."""

import numpy as np

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def common_power(low: float, high: float) -> int:
    """Return the power of ten (a multiple of three) that is written beside the unit; 0 for handy numbers."""
    largest = max(abs(low), abs(high))
    if largest == 0.0 or 0.1 <= largest < 1e5:
        return 0
    return int(3 * np.floor(np.log10(largest) / 3))


def power_text(power: int) -> str:
    """Return "×10⁻³", or "" for the power 0."""
    return f"×10{str(power).translate(_RAISED)}" if power else ""


def unit_line(unit: str, power: int) -> str:
    """Return "[×10⁻³ N/mm²]", or "" for a plain number."""
    words = " ".join(part for part in (power_text(power), unit) if part)
    return f"[{words}]" if words else ""


def ticks(low: float, high: float, count: int = 6) -> np.ndarray:
    """Return about `count` round numbers between low and high."""
    if not high > low:
        return np.array([low])
    raw = (high - low) / max(count - 1, 1)
    power = 10.0 ** np.floor(np.log10(raw))
    step = power * min(s for s in (1.0, 2.0, 2.5, 5.0, 10.0) if s * power >= raw * (1 - 1e-9))
    first, last = np.ceil(low / step - 1e-6), np.floor(high / step + 1e-6)
    return np.asarray(step * np.arange(first, last + 1))


def number_texts(values: np.ndarray, power: int = 0) -> list[str]:
    """Return values divided by ten to the power, all with as many decimals as their steps need."""
    shown = np.asarray(values, float) / 10.0**power
    step = float(np.diff(shown).min()) if len(shown) > 1 else float(np.abs(shown).max(initial=0.0))
    decimals = 0
    while decimals < 6 and step > 0 and _has_more(step, decimals):
        decimals += 1
    return [_minus(f"{v:.{decimals}f}") for v in shown]


def _has_more(step: float, decimals: int) -> bool:
    """Return whether a number has more digits than some decimals."""
    shown = step * 10**decimals
    return bool(abs(shown - round(shown)) > 1e-6 * shown)


def number_text(value: float, power: int = 0, digits: int = 3) -> str:
    """Return one value divided by ten to the power, with some significant digits."""
    shown = value / 10.0**power
    if shown == 0.0:
        return "0"
    if not 1e-3 <= abs(shown) < 1e6:
        head, _, tail = f"{shown:.{digits - 1}e}".partition("e")
        return _minus(head) + "·10" + str(int(tail)).translate(_RAISED)
    decimals = max(0, digits - 1 - int(np.floor(np.log10(abs(shown)))))
    text = f"{shown:.{decimals}f}"
    return _minus(text.rstrip("0").rstrip(".") if "." in text else text)


def _minus(text: str) -> str:
    if float(text) == 0.0:
        text = text.lstrip("-")
    return text.replace("-", "−")
