"""What colours of the 3D view can be chosen."""

# By what is shown; the first one is taken without a choice. The names are those of matplotlib.
MAPS = {
    "sequential": ("viridis", "cividis", "plasma", "inferno", "magma", "Blues", "Greys_r", "turbo", "jet"),
    "diverging": ("coolwarm", "RdBu_r", "PuOr_r", "BrBG_r", "seismic"),
}
BACKGROUNDS = {"": "of the theme", "plain": "without gradient", "white": "white", "black": "black"}
# What of a body has a colour of its own.
GROUPINGS = {"": "one colour", "part": "part", "material": "material", "joint": "joint"}
