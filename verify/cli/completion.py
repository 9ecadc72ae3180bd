"""``completion``: what a shell needs to complete commands, options and keys."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from verify.cli.output import say

WITH_KEYS = ("run", "list", "show", "compare", "repair", "explain", "export", "rates")
"""Commands whose arguments are keys of the library."""

BASH = """\
_fedassay() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" options=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands}" -- "$current"))
        return
    fi
    case "$command" in
{cases}
    esac
    case "$current" in
        -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
        *)
            case "$command" in
                {keyed})
                    COMPREPLY=($(compgen -W "$(fedassay list --keys 2>/dev/null)" -- "$current")) ;;
            esac ;;
    esac
}}
complete -o default -F _fedassay fedassay
"""


def add(commands: Any) -> None:
    """Register the command."""
    telling = commands.add_parser(
        "completion",
        help="print what a shell needs to complete commands, options and keys",
        description='bash: eval "$(fedassay completion bash)" in ~/.bashrc; zsh the same in '
        "~/.zshrc; fish: fedassay completion fish > ~/.config/fish/completions/fedassay.fish",
    )
    telling.add_argument("shell", choices=("bash", "zsh", "fish"))
    telling.set_defaults(call=lambda args: _tell(args, commands))


def _tell(args: argparse.Namespace, commands: Any) -> int:
    say(script(args.shell, commands.choices).rstrip("\n"))
    return 0


def script(shell: str, parsers: dict[str, argparse.ArgumentParser]) -> str:
    """Completion script.

    Parameters
    ----------
    shell : {"bash", "zsh", "fish"}
    parsers : mapping
        Parser of each command; their options are read off, so that none is forgotten.
    """
    if shell == "fish":
        return "\n".join(_fish(parsers)) + "\n"
    cases = "\n".join(
        f'        {name}) options="{" ".join(_options(parser))}" ;;'
        for name, parser in parsers.items()
    )
    made = BASH.format(commands=" ".join(parsers), cases=cases, keyed="|".join(WITH_KEYS))
    begin = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
    return begin + made if shell == "zsh" else made


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [word for action in _shown(parser) for word in action.option_strings]


def _shown(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # argparse has no public list
        if action.option_strings and action.help != argparse.SUPPRESS:
            yield action


def _fish(parsers: dict[str, argparse.ArgumentParser]) -> Iterator[str]:
    first = f"not __fish_seen_subcommand_from {' '.join(parsers)}"
    for name, parser in parsers.items():
        yield f"complete -c fedassay -f -n '{first}' -a {name}"
        seen = f"__fish_seen_subcommand_from {name}"
        for action in _shown(parser):
            words = [
                f"-{'l' if w.startswith('--') else 's'} {w.lstrip('-')}"
                for w in action.option_strings
            ]
            yield f"complete -c fedassay -n '{seen}' {' '.join(words)}"
        if name in WITH_KEYS:
            yield f"complete -c fedassay -f -n '{seen}' -a '(fedassay list --keys 2>/dev/null)'"
