"""The option ``--force``: an output may replace a file that Faying did not write."""

import argparse


def declare_force(parser: argparse.ArgumentParser) -> None:
    """Add the argument to a command that writes files."""
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace what is there though Faying did not write it, or somebody has changed it since "
        "(never what the project reads from)",
    )
