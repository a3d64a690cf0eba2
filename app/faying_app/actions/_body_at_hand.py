"""The body that is selected, and why it may not be usable yet; for actions that work on a body."""

from faying_app.context import Context


def why_no_body(context: Context) -> str:
    """Return why there is no body to work on, "" when there is one."""
    return "" if context.selected_body() is not None else "Import a deck first."


def why_no_model(context: Context) -> str:
    """Return why the selected body's model cannot be used now, "" when it can."""
    body = context.selected_body()
    if body is None:
        return why_no_body(context)
    return "" if context.computed.model(body.name) is not None else "The model has not been read yet."
