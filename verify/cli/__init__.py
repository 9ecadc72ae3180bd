"""The command line: ``fedassay COMMAND``; one module per command."""

from verify.cli.main import main

__all__ = ["main"]
