"""``--force``: the user's word that an output may take the place of what is there."""

import argparse


def declare_force(parser: argparse.ArgumentParser) -> None:
    """Add the argument to a command that writes files."""
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace what is there though Faying did not write it, or somebody has changed it since "
        "(never what the project reads from)",
    )
