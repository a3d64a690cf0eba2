"""Texts in tables that a spreadsheet opens."""


def text_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with an apostrophe before it where it begins like one.

    A name in someone else's deck or study, such as ``=HYPERLINK(…)``, would otherwise be evaluated when the table is
    opened (OWASP, "CSV Injection"). Numbers are unchanged.
    """
    if not text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text
