"""What all datasets of universal files share: the line around them, fixed texts, SI units (dataset 164)."""

MARK = f"{-1:6d}"


def units() -> list[str]:
    """Return dataset 164: SI units."""
    return [
        MARK, f"{164:6d}", f"{1:10d}{'SI: Meter (newton)':<20}{2:10d}",
        "".join(f"{1.0:25.17e}" for _ in range(3)), f"{273.15:25.17e}", MARK,
    ]  # fmt: skip


def fixed(text: str, width: int) -> str:
    """Return a text of `width` characters; question marks replace characters that are not printable ASCII."""
    plain = "".join(sign if " " <= sign <= "~" else "?" for sign in text)
    return f"{plain[:width]:<{width}}"
