"""How the window looks: themes and icons, read from the resources."""
