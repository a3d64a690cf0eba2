"""Texts in tables that a spreadsheet opens."""


def text_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with an apostrophe before it where it begins like one.

    A name in a deck or study by somebody else, such as ``=HYPERLINK(…)``, would else be evaluated when the table is
    opened (OWASP, "CSV Injection"). Numbers stay as they are.
    """
    if not text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text
