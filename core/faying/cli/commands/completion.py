"""``faying completion``: completion of commands and options for shells."""

import argparse

from faying.cli.commands import Command, commands

_BASH = """# Completion of faying for bash (and zsh): put `eval "$(faying completion bash)"` into ~/.bashrc.
_faying() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" command="" words i
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ "${{COMP_WORDS[i]}}" != -* ]]; then command="${{COMP_WORDS[i]}}"; break; fi
    done
    case "$command" in
        "") words="{commands}" ;;
{cases}
        *) words="" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
# Where no word fits, the shell itself completes names of files, also with blanks.
complete -o default -F _faying faying
"""
_ZSH = """# Completion of faying for zsh: put `eval "$(faying completion zsh)"` into ~/.zshrc.
autoload -Uz compinit bashcompinit && compinit -u && bashcompinit
"""
_FISH = "# Completion of faying for fish: faying completion fish > ~/.config/fish/completions/faying.fish\n"


@commands.register("completion")
class Completion(Command):
    """Prints a script that the shell reads at its start."""

    summary = "print the completion of commands and options for bash, zsh or fish"
    order = 95

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell that it is for")

    def run(self, args: argparse.Namespace) -> int:
        """Print the script; 0."""
        known = {name: _options(command) for name, command in commands.items()}
        summaries = {name: command.summary for name, command in commands.items()}
        print({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](known, summaries), end="")
        return 0


def _options(command: type[Command]) -> dict[str, str]:
    """Return the long options of a command with their help."""
    parser = argparse.ArgumentParser(add_help=False)
    command().declare(parser)
    found = {"--help": "show the help", "--verbose": "show tracebacks and the log"}
    for action in parser._actions:
        text = (action.help or "").replace("%%", "%")  # argparse has a percent sign twice
        found |= {name: text for name in action.option_strings if name.startswith("--")}
    return found


def _bash(known: dict[str, dict[str, str]], summaries: dict[str, str]) -> str:
    cases = "\n".join(f'        {name}) words="{" ".join(options)}" ;;' for name, options in known.items())
    return _BASH.format(commands=" ".join(summaries), cases=cases)


def _zsh(known: dict[str, dict[str, str]], summaries: dict[str, str]) -> str:
    return _ZSH + _bash(known, summaries)


def _fish(known: dict[str, dict[str, str]], summaries: dict[str, str]) -> str:
    lines = [
        f"complete -c faying -n __fish_use_subcommand -a {n} -d {_quoted(t)}" for n, t in summaries.items()
    ]
    for name, options in known.items():
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        lines += [f"complete -c faying {seen} -l {o[2:]} -d {_quoted(text)}" for o, text in options.items()]
    return _FISH + "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + " ".join(text.replace("\\", "\\\\").replace("'", "\\'").split()) + "'"
