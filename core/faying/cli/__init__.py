"""The command line: ``faying <command> …``. One command is one file in `faying.cli.commands`."""

import argparse
import errno
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from faying.cli.commands import Command, commands
from faying.cli.system import CORE_ALONE, use_physical_cores
from faying.cli.terminal import plain_output
from faying.errors import Cancelled, FayingError, there_are
from faying.foreign_settings import without_settings_of_the_folder
from faying.linalg.freed_memory import keep_freed_memory
from faying.version import __version__

OK, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0: success. 1: an error, reported in one sentence on stderr, an expected number missed, or a result that is
    doubtful. 2: wrong usage. 130: interrupted, by Ctrl-C or SIGTERM.
    """
    with plain_output():
        return _main(argv)


def _main(argv: Sequence[str] | None) -> int:
    use_physical_cores()
    keep_freed_memory()
    if (sys.argv[1:] if argv is None else argv)[:1] == ["gui"] and "gui" not in commands:
        return _say(CORE_ALONE, FAILED, verbose=False)
    try:
        args, unknown = _parser().parse_known_args(argv)
        if unknown:
            args.parser.error(_wrong_arguments(args.parser, unknown))
    except SystemExit as stop:  # argparse has printed the error or the help
        return stop.code if isinstance(stop.code, int) else WRONG_USAGE
    logging.basicConfig(
        level=logging.DEBUG if args.verbose else logging.ERROR, format="%(levelname)s %(name)s: %(message)s"
    )
    command: Command = args.command()
    try:
        with _ending_as_interrupted(), without_settings_of_the_folder():
            code = command.run(args)
            sys.stdout.flush()  # a full disk shows only now
            return code
    except Cancelled as error:
        return _say(error, INTERRUPTED, args.verbose)
    except FayingError as error:
        return _say(error, FAILED, args.verbose)
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED, args.verbose)
    except BrokenPipeError:
        # The reader of our output has closed the pipe; keep Python from a second error when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except MemoryError:
        return _say(
            "There is not enough memory for this. Close other programs, or make it smaller.",
            FAILED,
            args.verbose,
        )
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG):
            raise
        return _say(f"The output could not be written ({error.strerror}).", FAILED, args.verbose)


@contextmanager
def _ending_as_interrupted() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C while the block runs, unless another handler is installed."""
    before = signal.getsignal(signal.SIGTERM)
    if before is not signal.SIG_DFL or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Parser(argparse.ArgumentParser):
    """Takes ``--view -x`` for ``--view=-x``: as they come, argparse would take the value for another option."""

    def parse_known_args(  # type: ignore[override]  # declared with overloads
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse words in which options have values that begin with a minus."""
        own = {name: action for action in self._actions for name in action.option_strings}
        joined: list[str] = []
        for word in sys.argv[1:] if args is None else args:
            before = own.get(joined[-1]) if joined and "--" not in joined else None
            wants_value = before is not None and before.nargs is None
            if wants_value and word.startswith("-") and not word.startswith("--") and word not in own:
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return super().parse_known_args(joined, namespace)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="faying", description="Contact and friction inside jointed flexible bodies.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"faying {__version__}")
    _add_verbose(parser, False)
    chooser = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in sorted(commands.items(), key=lambda item: item[1].order):
        sub = chooser.add_parser(name, help=command.summary, description=command.summary, allow_abbrev=False)
        _add_verbose(sub, argparse.SUPPRESS)
        sub.set_defaults(command=command, parser=sub)
        command().declare(sub)
    return parser


def _wrong_arguments(parser: argparse.ArgumentParser, unknown: Sequence[str]) -> str:
    """Return the error text for unknown arguments, with the most similar option as a suggestion."""
    options = [name for action in parser._actions for name in action.option_strings if name.startswith("--")]
    wrong = next((word.partition("=")[0] for word in unknown if word.startswith("-")), "")
    meant = f". {there_are(wrong, options, 'It knows')}" if wrong else ""
    return f"unrecognized arguments: {' '.join(unknown)}{meant}"


def _add_verbose(parser: argparse.ArgumentParser, default: object) -> None:
    parser.add_argument(
        "--verbose", action="store_true", default=default, help="show tracebacks and the log on stderr"
    )


def _say(problem: FayingError | str, code: int, verbose: bool) -> int:
    if verbose:
        logging.getLogger(__name__).debug("traceback", exc_info=True)
    try:
        sys.stdout.flush()
    except OSError:
        # Standard output cannot be written any more; keep Python from a second error when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    print(f"error: {problem}", file=sys.stderr)
    return code
