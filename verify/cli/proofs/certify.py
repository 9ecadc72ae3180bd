"""``certify``: the worst case of one step of weighted averaging over a class, with its proof."""

from __future__ import annotations

import argparse
from decimal import ROUND_CEILING, Context, Decimal
from decimal import ROUND_FLOOR as DOWN
from fractions import Fraction
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.cli.output import output_file, say

WIDEST = 1e60
"""Numbers beyond this, or below its inverse, are taken for slips."""


def add(commands: Any) -> None:
    """Register the command."""
    certify = commands.add_parser(
        "certify",
        help="prove the worst case of one averaging step over a class of losses",
        description="Worst case of f_i(x+) - f_i* after x+ = x - eta sum_k alpha_k g_k, over all "
        "beta-smooth, mu-strongly convex f_i with f_i(x) - f_i* <= START and all gradients with "
        "|g_k - g_i|^2 <= b_k^2 + c_k |g_i|^2: an upper value with a certificate in rational "
        "numbers, and a lower one that an explicit function attains.",
    )
    one, many = {"metavar": "X", "required": True}, {"metavar": "X,X,...", "required": True}
    certify.add_argument("--beta", help="smoothness of the own loss", **one)
    certify.add_argument(
        "--mu",
        metavar="X",
        default="0",
        help="its smallest curvature: strong convexity, 0 for convex (the default), -beta for "
        "smooth losses that need not be convex",
    )
    certify.add_argument("--step", help="step size eta", **one)
    certify.add_argument("--weights", help="alpha_k, that of client i itself first", **many)
    certify.add_argument("--b", help="b_k of the other clients", metavar="X,X,...", default="")
    certify.add_argument("--c", help="c_k of the other clients", metavar="X,X,...", default="")
    certify.add_argument(
        "--sigma2", metavar="X,X,...", default="", help="variances of all clients' gradients"
    )
    certify.add_argument(
        "--start", metavar="X", default="1", help="bound on the own excess loss before (1)"
    )
    certify.add_argument(
        "--frontier",
        choices=("repaired", "refined"),
        help="also say up to which step this form of the descent bound is true",
    )
    output_file(certify, "write the certificate")
    certify.set_defaults(call=certify_step)


def certify_step(args: argparse.Namespace) -> int:
    """Print the certified upper and the attained lower value; 1 where either was not found."""
    from verify.catalogue.json_files import write_json
    from verify.catalogue.whole_files import require_ours, require_writable
    from verify.certify.checker import check
    from verify.certify.gram.floats import NoSolution
    from verify.certify.worst_case.instance import attained
    from verify.certify.worst_case.step import upper

    if args.json is not None:
        require_writable("output", args.json)
        require_ours(args.json, ['"proofs"', '"attained"', '"noise"'], args.force)
    step = _step(args)
    try:
        proof = upper(step)
        document = proof.to_json()
        proved = check(document)
    except NoSolution as reason:
        say(f"inconclusive: {reason}")
        return 1
    say(f"certified upper value  {_decimal(proof.bound + step.noise)}")
    instance = None
    try:
        instance = attained(step)
    except NoSolution as reason:
        say(f"inconclusive below: {reason}")
    if instance is not None:
        gap = proof.bound - instance.value
        share = float(gap / (proof.bound + step.noise))
        say(
            f"attained lower value   {_decimal(instance.value + step.noise, DOWN)}  "
            f"(explicit function, d = {len(instance.points[0])}, replayed in rational numbers)"
        )
        say(f"gap                    {float(gap):.3g}  (relative {share:.3g})")
    if step.variance:
        say(
            f"of this, noise         {_decimal(step.noise)}  (eta^2 beta/2 sum alpha_k^2 sigma_k^2)"
        )
    say(f"proved without noise: {proved}")
    edge = _frontier(step, args.frontier) if args.frontier else None
    if args.json is not None:
        lower = None if instance is None else instance.to_json()
        more = {} if edge is None else {"frontier": edge}
        beside = {"attained": lower, "noise": str(step.noise), **more}
        write_json(args.json, {"proofs": [document], **beside})
        say(f"Certificate: {args.json}")
    return 0 if instance is not None else 1


def _frontier(step: Any, form: str) -> dict[str, Any]:
    """Print where the bound stops being true, and hand it on."""
    from verify.certify.worst_case.frontier import frontier

    found = frontier(step, form)
    sure = "no step" if found.proved is None else f"steps up to {_decimal(found.proved, DOWN)}"
    broken = "no step that was tried" if found.violated is None else _decimal(found.violated)
    say(
        f"{form} bound: stated for steps up to {_decimal(found.stated)}, certified for {sure}, "
        f"broken by an instance at {broken}"
    )
    return found.to_json()


def _step(args: argparse.Namespace) -> Any:
    """The step that the options describe."""
    from verify.certify.worst_case.step import AveragingStep

    return AveragingStep(
        beta=_number("beta", args.beta),
        mu=_number("mu", args.mu),
        step=_number("step", args.step),
        start=_number("start", args.start),
        weights=_numbers("weights", args.weights),
        bias=_numbers("b", args.b),
        slope=_numbers("c", args.c),
        variance=_numbers("sigma2", args.sigma2),
    )


def _numbers(name: str, text: str) -> tuple[Fraction, ...]:
    return tuple(_number(name, part) for part in text.split(",")) if text.strip() else ()


def _number(name: str, text: str) -> Fraction:
    """A decimal or a fraction, exactly."""
    remedy = "write it as 0.25, 1/4 or 2.5e-1"
    parts = text.strip().split("/")
    try:
        sizes = [abs(float(part)) for part in parts]
        sane = len(parts) <= 2 and all(q == 0 or 1 / WIDEST <= q <= WIDEST for q in sizes)
        require(sane, name, f"a number of size {1 / WIDEST:g} to {WIDEST:g}", text, remedy)
        return Fraction(text.strip())
    except InvalidInput:
        raise
    except (ValueError, ZeroDivisionError):
        raise InvalidInput(f"{name} must be a number, got {text!r}: {remedy}.") from None


def _decimal(number: Fraction, rounding: str = ROUND_CEILING) -> str:
    """Ten significant digits, by default no less than the number."""
    found = Context(prec=10, rounding=rounding).divide(
        Decimal(number.numerator), Decimal(number.denominator)
    )
    return f"{found.normalize()}"
