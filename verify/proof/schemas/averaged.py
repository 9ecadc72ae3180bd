"""Jensen's inequality for the average of the iterates."""

from verify.proof.schemas.schema import Closed, Schema

__all__ = ["SCHEMA"]


def _close(f: str, called: str, of: str, weight: str, index: str, rounds: str) -> Closed:
    edge = f"({index}, 0, {rounds} - 1)"
    average = {"called": called, "of": of, "weight": weight, "index": index, "rounds": rounds}
    return Closed(
        [(f"Sum(({weight})*{f}({of}), {edge}) - Sum({weight}, {edge})*{f}({called})", False)],
        needs=[(weight, False), (f"Sum({weight}, {edge})", True)],
        facts=[(["average"], average), (["convex"], {"f": f})],
        free=[rounds],
    )


SCHEMA = Schema(
    "averaged",
    {
        "f": "function",
        "called": "vector",
        "of": "vector",
        "weight": "formula",
        "index": "index",
        "rounds": "count",
    },
    _close,
    "by Jensen's inequality {f} at the average {called} is at most its average at {of}",
    "averaged",
)
