"""Malformed inputs, by what is wrong with them: each gets one line and exit status 2."""

from __future__ import annotations

import json
from typing import Any

HEAD = """
from verify import *
from verify import Family, Source
N = numbers({"x": Real(0, 10), "y": Real(0, 10)})
def st(key, f, **k): return statement(key, where="L", latex="", **{"family": N, **k})(f)
def good(w): return {"a": w.x}, {"b": w.x + w.y + 1}
"""
"""What every file of statements below begins with."""

LOADING: dict[str, tuple[str, str]] = {
    "a number as key": ("s = st(5, good)", "key must be"),
    "a number as key of the record": (
        's = Statement(key=5, source=Source("m", "L"), latex="", sides=good)',
        "key must be",
    ),
    "nothing as key": ("s = st(None, good)", "key must be"),
    "an empty key": ('s = st("", good)', "key must be"),
    "NUL in a key": ('s = st("m.a\\0b", good)', "key must be"),
    "an escape sequence in a key": ('s = st("m.a\\x1b[31mb", good)', "key must be"),
    "a newline in a key": ('s = st("m.a\\nb", good)', "key must be"),
    "a blank in a key": ('s = st("m a", good)', "key must be"),
    "a way out of the folder in a key": ('s = st("m.a/../../x", good)', "key must be"),
    "an absolute path as key": ('s = st("/etc/passwd", good)', "key must be"),
    "a key of 400 characters": ('s = st("m." + "a" * 400, good)', "key must be"),
    "half a surrogate in a key": ('s = st("m.\\ud800", good)', "key must be"),
    "the same key twice": ('s = st("m.a", good)\nt = st("m.a", good)', "key must be unique"),
    "keys that differ in a mark": (
        's = st("mine.a_b", good)\nt = st("mine.a/b", good)',
        "rename one",
    ),
    "unknown uses": ('s = st("m.a", good, uses=("no.such",))', "what m.a uses must be a known"),
    "a text as uses": ('s = st("m.a", good, uses="m.b")', "uses must be a tuple"),
    "a number as uses": ('s = st("m.a", good, uses=3)', "uses must be a tuple"),
    "a number among uses": ('s = st("m.a", good, uses=(3,))', "uses must be at most"),
    "an unknown refuted claim": ('s = st("m.a.empty", good, empties="m.z")', "must be a known"),
    "no statement": ("x = 1", "one that defines a Statement"),
    "an empty file": ("", "one that defines a Statement"),
    "half a line": ("x = (", "SyntaxError"),
    "a division by zero": ("1 / 0", "ZeroDivisionError"),
    "an unknown module": ("import no_such_module", "ModuleNotFoundError"),
    "an exit": ("raise SystemExit(0)", "SystemExit"),
    "what Ctrl-C raises": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "an endless recursion": ("def f(): f()\nf()", "RecursionError"),
    "half a client": ('s = st("m.a", good, family=functions("smooth", clients=2.5))', "N of a"),
    "half a round": ('s = st("m.a", good, family=functions("smooth", rounds=1.5))', "shape must"),
    "half a point": ('s = st("m.a", good, family=functions("smooth", points=1.5))', "points of"),
    "half a dimension": ('s = st("m.a", good, family=functions("smooth", dimensions=.5))', "d of"),
    "a fractional shape": (
        's = st("m.a", good, family=numbers({"x": Real(0, 1, per=("N",))}, {"N": 2.5}))',
        "N of",
    ),
    "a negative size": ('s = st("m.a", good, family=quadratics(({"N": -2, "d": 1},)))', "N of"),
    "an unknown class": ('s = st("m.a", good, family=functions("rough"))', "kind must be"),
    "a range from above to below": ("r = Real(3, 1)", "low must be at most high"),
    "a range of NaN": ('r = Real(float("nan"), 1)', "range must be of finite ends"),
    "an endless range": ('r = Real(0, float("inf"))', "range must be of finite ends"),
    "a domain inside the range": ("r = Real(0, 10, domain=(0, 1))", "domain must be around"),
    "an unknown relation": ('s = st("m.a", good, relation="<")', "relation must be one of"),
    "an unknown form": ('s = st("m.a", good, form="guess")', "form must be one of"),
    "an unknown field": ('s = st("m.a", good, colour="red")', "keyword must be a field"),
    "a probability without level": ('s = st("m.a", good, over="prob")', "delta must be given"),
}
"""Files of statements that do not load: content after `HEAD`, and part of the answer."""

SIDES: dict[str, tuple[str, str]] = {
    "nothing": ("None", "must be a pair of dicts"),
    "three sides": ('({"a": w.x}, {"b": w.y}, {})', "must be a pair of dicts"),
    "lists": ("([w.x], [w.y])", "must be a pair of dicts"),
    "a number": ("w.x", "must be a pair of dicts"),
    "a term that is nothing": ('({"a": None}, {"b": w.y})', "terms of m.a must be numbers"),
    "a term that is text": ('({"a": "x"}, {"b": w.y})', "terms of m.a must be numbers"),
    "a term named by a number": ('({1: w.x}, {"b": w.y})', "terms of m.a must be numbers"),
    "a number beyond all floats": (
        '({"a": w.x}, {"b": w.y * 10**380})',
        "have no float: divide both sides by it",
    ),
    "an integer of 5,000 digits": (
        '({"a": w.x * 10**5000}, {"b": w.y})',
        "have no float: divide both sides by it",
    ),
    "NaN": ('({"a": float("nan")}, {"b": w.y})', "the left side had no value"),
    "NaN times a symbol": ('({"a": w.x}, {"b": w.y * float("nan")})', "the right side had no"),
    "an unknown symbol": ('({"a": w.zz}, {"b": w.y})', "symbol must be one"),
    "matrices that do not fit": (
        '({"a": np.ones(3) @ np.ones(4)}, {"b": w.y})',
        "ValueError in mine.py, line 8",
    ),
    "arrays that do not fit": (
        '({"a": w.x + np.ones((5, 7, 3))}, {"b": w.y})',
        "ValueError in mine.py, line 8",
    ),
    "a reshape that does not fit": (
        '({"a": np.reshape(w.x, (7, 11))}, {"b": w.y})',
        "ValueError in mine.py, line 8",
    ),
    "more memory than there is": (
        '({"a": np.zeros((10**7, 10**7))}, {"b": w.y})',
        "MemoryError in mine.py, line 8",
    ),
    "what Ctrl-C raises": ("(_ for _ in ()).throw(KeyboardInterrupt)", "KeyboardInterrupt in mine"),
    "an exit": ("exit(3)", "SystemExit in"),
    "endless recursion": ("good(w) if (f := lambda g: g(g))(f) else 0", "RecursionError in mine"),
    "an unknown method": ('({"a": w.run("magic")}, {"b": w.y})', "m.a has no verdict"),
}
"""Sides that cannot be evaluated: the returned expression, and part of the answer."""

ARGUMENTS: dict[str, tuple[list[str], str]] = {
    "an endless limit": (["run", "--limit", "inf"], "limit must be a positive number"),
    "no limit at all": (["run", "--limit", "nan"], "limit must be a positive number"),
    "a limit below zero": (["run", "--limit", "-1"], "limit must be a positive number"),
    "a limit of centuries": (["run", "--limit", "1e300"], "limit must be a positive number"),
    "no process": (["run", "--jobs", "0"], "jobs must be at least 1"),
    "a seed below zero": (["run", "--seed", "-5"], "seed must be"),
    "an unknown profile": (["run", "--profile", "fast"], "profile must be a known one"),
    "an unknown device": (["run", "--device", "toaster"], "device must be an available one"),
    "an unknown key": (["run", "no.such.key"], "key must be a known one"),
    "a key that rings": (["run", "\a\x1b[2J"], "\\x07\\x1b[2J"),
    "an unknown glob": (["list", "zzz*"], "key must be a known one"),
    "an unknown paper": (["list", "--paper", "zzz"], "paper must be a known one"),
    "nothing to go on with": (["run", "--resume"], "--resume must be about an unfinished run"),
    "a folder for a ledger": (["run", "--json", "."], "ledger must be a file"),
    "a device for a ledger": (["run", "--json", "/dev/null"], "which is a device or a pipe"),
    "a place inside a file": (["run", "--json", "/dev/null/x"], "ledger must be writable"),
    "a name of 5,000 letters": (["run", "--json", "a" * 5000], "must be"),
    "a text in place of a ledger": (["run", "--json", "notes.txt"], "which holds something else"),
    "the file itself as ledger": (["check", "good.py", "--json", "good.py"], "than the input"),
    "a folder to check": (["check", "."], "file must be an existing Python file"),
    "another ending": (["check", "notes.txt"], "file must be"),
    "bytes that are no text": (["check", "bytes.py"], "file must load without an error"),
    "an unknown file": (["check", "none.py"], "file must be an existing Python file"),
    "an unknown figure": (["figures", "mona_lisa"], "figure must be one of"),
    "an unknown figure profile": (["figures", "bounds", "--profile", "x"], "profile must be one"),
    "no ledger to audit": (["audit", "none.json"], "ledger must be an existing file"),
    "a folder to audit": (["audit", "."], "ledger must be readable"),
    "a table to audit": (["audit", "c.csv"], "ledger must be a JSON file"),
    "a table to replay": (["replay", "c.csv"], "witness must be a JSON file"),
    "two tables to compare": (["diff", "c.csv", "c.csv"], "ledger must be a JSON file"),
    "a table to report": (["report", "c.csv"], "ledger must be a JSON file"),
    "a report over its ledger": (["report", "l.json", "-o", "l.json"], "than the input"),
    "a report into a device": (["report", "l.json", "-o", "/dev/full"], "a device or a pipe"),
    "a partition over its table": (
        ["partition", "c.csv", "--alpha", "1", "--json", "c.csv"],
        "another file than the input",
    ),
    "a partition over its table by a link": (
        ["partition", "c.csv", "--alpha", "1", "--json", "link.csv"],
        "file than the input",
    ),
    "an alpha below zero": (["partition", "c.csv", "--alpha", "-1"], "tradeoff must be"),
    "an alpha of NaN": (["partition", "c.csv", "--alpha", "nan"], "tradeoff must be finite"),
    "an endless alpha": (["partition", "c.csv", "--alpha", "inf"], "tradeoff must be finite"),
    "an endless beta": (
        ["partition", "c.csv", "--alpha", "1", "--beta", "inf"],
        "offset must be finite",
    ),
    "an unknown format": (["partition", "notes.txt", "--alpha", "1"], "file must be one of"),
    "a table in place of the ledger of rates": (
        ["rates", "adaptive.theorem3", "--ledger", "c.csv"],
        "ledger must be a JSON file",
    ),
    "a file for the pictures of rates": (
        ["rates", "adaptive.theorem3", "--plot", "c.csv"],
        "plot must be a folder",
    ),
    "fewer than no federation": (["rates", "--federations", "-3"], "federations must be in [1,"),
    "an unknown column": (
        ["collaborate", "diabetes", "--client", "shoe", "--target", "progression"],
        "column must be one of",
    ),
    "a certificate of nothing convex": (
        [
            "certify",
            "--beta",
            "-1",
            "--mu",
            "0",
            "--step",
            "1",
            "--weights",
            "1",
            "--b",
            "0",
            "--c",
            "0",
        ],
        "beta must be above 0",
    ),
    "a proof into a folder": (
        ["export", "adaptive.def1.sum", "--to", "json", "-o", "."],
        "output must be a file",
    ),
    "no table": (["partition", "none.csv", "--alpha", "1"], "file must be an existing file"),
}
"""Command lines, and part of the answer."""

TABLES: dict[str, tuple[str, str]] = {
    "empty": ("", "a heading and a line per client"),
    "a heading alone": ("client,size,g\n", "a heading and a line per client"),
    "another heading": ("a,b\n1,2\n", "first line must be a heading"),
    "a short line": ("size,g\n1\n", "line 2 must be 2 cells"),
    "a long line": ("size,g\n1,2,3\n", "line 2 must be 2 cells"),
    "the same column twice": ("size,g,g\n1,2,3\n", "of different columns"),
    "no gradient": ("client,size\na,1\n", "at least one column of numbers more"),
    "a word": ("size,g\n1,two\n", "column g must hold numbers"),
    "an empty cell": ("size,g\n1,\n", "column g must hold numbers"),
    "NaN": ("size,g\n1,nan\n", "gradients must be finite"),
    "infinity": ("size,g\n1,1e999\n", "gradients must be finite"),
    "a size of NaN": ("size,g\nnan,1\n", "sizes must be finite"),
    "a fractional size": ("size,g\n2.5,1\n3,1\n", "whole numbers of samples, got 2.5"),
    "no sample": ("size,g\n0,1\n", "sizes must be positive"),
    "fewer than no sample": ("size,g\n-3,1\n", "sizes must be positive"),
    "a name twice": ("client,size,g\na,1,1\na,1,2\n", "names must be 2 different ones"),
    "NUL": ("size,g\n1,\0\n", "must"),
    "an open quotation mark": ('size,g\n1,"2\n', "must"),
    "a cell of a million letters": (f"size,g\n1,{'9' * 10**6}x\n", "must"),
    "samples without a label": ("client,x\na,1\n", "first line must be a heading"),
    "more clients than fit": ("size,g\n" + "1,1\n" * 20_000, "clients must be at most 14000"),
}
"""CSV files of clients."""

DEEP = "[" * 50 + "1" + "]" * 50
DEEPER = "[" * 900 + "1" + "]" * 900

CLIENTS: dict[str, tuple[str, str]] = {
    "a list": ("[1, 2]", "file must be a JSON object"),
    "half a file": ('{"gradients": [[1', "file must be a JSON file"),
    "a number": ("5", "file must be a JSON object"),
    "an integer of 5,000 digits": (
        '{"gradients": [[' + "7" * 5000 + ']], "sizes": [1]}',
        "an integer of thousands of digits",
    ),
    "50 deep": ('{"gradients": ' + DEEP + ', "sizes": [1]}', "gradients must be"),
    "900 deep": ('{"gradients": ' + DEEPER + ', "sizes": [1]}', "more than 100 levels"),
    "100,000 deep": ("[" * 100_000, "file must be a JSON file"),
    "ragged": ('{"gradients": [[1], [1, 2]], "sizes": [1, 1]}', "a rectangular array of numbers"),
    "a word": ('{"gradients": [["x"]], "sizes": [1]}', "a rectangular array of numbers"),
    "nothing": ('{"gradients": null, "sizes": [1]}', "gradients must be"),
    "no size": ('{"gradients": [[1]]}', "sizes beside the gradients"),
    "too many sizes": ('{"gradients": [[1]], "sizes": [1, 2]}', "sizes must be one number"),
    "half a sample": ('{"gradients": [[1]], "sizes": [0.5]}', "whole numbers of samples, got 0.5"),
    "too few names": ('{"gradients": [[1], [2]], "sizes": [1, 1], "names": ["a"]}', "names must"),
    "names that are a number": ('{"gradients": [[1]], "sizes": [1], "names": 5}', "names must be"),
    "NaN": ('{"gradients": [[NaN]], "sizes": [1]}', "gradients must be finite"),
    "clients without data": ('{"clients": {"a": {}}}', "or clients with X and y"),
    "no client": ('{"clients": {}}', "must be"),
    "tables of two widths": (
        '{"clients": {"a": {"X": [[1]], "y": [1]}, "b": {"X": [[1, 2]], "y": [1]}}}',
        "of one number of columns",
    ),
    "a model of another length": (
        '{"clients": {"a": {"X": [[1]], "y": [1]}}, "model": [1, 2]}',
        "model must be one number",
    ),
}
"""JSON files of clients."""

WITNESS: dict[str, tuple[dict[str, Any], str]] = {
    "a thousand million rounds": ({"params": {"rounds": 10**9}}, "run must ask for at most"),
    "half a round": ({"params": {"rounds": 2.5}}, "rounds must be one whole number"),
    "arrays nested 50 deep": ({"x": json.loads(DEEP)}, "at most 8 axes"),
    "an integer of 4,999 digits as a fraction": ({"x": f"{'7' * 4999}/1"}, "digits"),
    "a ragged array": ({"x": [[1], [1, 2]]}, "rectangular arrays"),
    "an array of words": ({"x": ["a"]}, "rectangular arrays"),
    "a file of arrays that is not there": ({"x": {"npz": "no.npz"}}, "array file must be present"),
    "an object": ({"x": {"a": 1}}, "array must be an npz reference"),
    "a word": ({"x": "one"}, "must hold an instance that fits"),
    "nothing": ({"x": None}, "must"),
}
"""Parameters of the instance in a witness of ``mine.wrong``."""

LEDGER: dict[str, tuple[list[Any], Any, str]] = {
    "a number as key": (["entries", 0, "key"], 5, "entries/0/key"),
    "NUL in a key": (["entries", 0, "key"], "mine.\0", "character U+0000"),
    "an escape sequence in a key": (["entries", 0, "key"], "mine.\x1b[31m", "character U+001B"),
    "an escape sequence in a leaf": (
        ["entries", 0, "leaves", 0, "id"],
        "\x1b[2J",
        "character U+001B",
    ),
    "nothing as verdict of a leaf": (["entries", 0, "leaves", 0, "verdict"], None, "verdict"),
    "an unknown verdict": (["entries", 0, "verdict"], "true", "entries/0/verdict"),
    "an unknown rung": (["entries", 0, "leaves", 0, "evidence", 0, "rung"], "hearsay", "rung"),
    "a count below zero": (["entries", 0, "leaves", 0, "evidence", 0, "counted"], -1, "counted"),
    "entries that are none": (["entries"], {}, "where entries"),
    "another schema": (["schema"], "fedassay-ledger/9", "fedassay-ledger/9"),
    "a schema that is a list": (["schema"], [], "schema"),
    "a seed below zero": (["seed"], -1, "where seed"),
    "a field more": (["colour"], "red", "colour"),
    "900 levels": (
        ["entries", 0, "leaves", 0, "evidence", 0, "details"],
        json.loads('{"a": ' * 900 + "1" + "}" * 900),
        "more than 100 levels",
    ),
}
"""Places in a ledger, what stands there, and part of the answer."""

COUNT = sum(map(len, (LOADING, SIDES, ARGUMENTS, TABLES, CLIENTS, WITNESS, LEDGER)))
