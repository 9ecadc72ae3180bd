"""Steps of at most 1/(2 L): the start shrinks by exp(-eta mu) a round, and noise stays small.

Shared by Lemma 4 and by weighted gradient averaging, whose loss is a mean H of those of agents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

FACTOR = "2*(relax + 1)*L/mu"
BIAS = "Sum(share[j]*b[j], (j, 0, N - 1))"
NOISE = "(sigma2*Sum(share[j]**2, (j, 0, N - 1)))"
GAP, START, REST = "(H(x[0]) - low)", "(H(x[0]) - H(star))", "eta*L/(2*mu)*spread"


def descended(o: StatementOutline, f: str = "H") -> None:
    """To the step called rounds."""
    start, excess = f"({f}(x[0]) - {f}(star))", f"{f}(x[t]) - {f}(star)"
    o.step("eta <= 1/L", "eta <= 1/L", "eta <= 1/(2*L)")
    o.step(
        "descent",
        f"{f}(x[t + 1]) - {f}(star) <= (1 - eta*mu)*({excess}) + eta**2*L/2*spread",
        "smooth; PL; variance; eta <= 1/L",
    )
    o.step("factor", "0 <= 1 - eta*mu", "eta <= 1/L; mu <= L")
    o.step("contracts", "1 - eta*mu <= left", "tangent")
    o.step(
        "goes on",
        f"{f}(x[t + 1]) - {f}(star) <= left**(t + 1)*{start} + {REST}",
        "descent; factor; contracts; minimum",
        supposing=f"{excess} <= left**t*{start} + {REST}",
        degree=4,
    )
    o.close(
        "rounds",
        f"{excess} <= left**t*{start} + {REST}",
        "induction",
        claim=f"left**t*{start} + {REST} - ({excess})",
        index="t",
        next="goes on",
    )


def begun(o: StatementOutline) -> None:
    """The start is no farther from the minimum of the mean loss than from those of its parts."""
    o.step("start", f"{START} <= {GAP}", "below")
    o.step("gap", f"0 <= {GAP}", "start; minimum")
    o.step("start left", f"left**K*{START} <= left**K*{GAP}", "start")


def ended(o: StatementOutline) -> None:
    """From the mean loss to that of one agent at the end."""
    slope, apart = "grad(H, x[K])**2", "(grad(G, x[K]) - grad(H, x[K]))**2"
    o.step(
        "two parts",
        f"grad(G, x[K])**2 <= 2*{apart} + 2*{slope}",
        roots="grad(G, x[K]) - 2*grad(H, x[K])",
    )
    o.step(
        "at the end",
        f"G(x[K]) <= lowest + {FACTOR}*(H(x[K]) - H(star)) + {BIAS}",
        "PL of i times 1/(2*mu); two parts times 1/(2*mu); similar times 1/mu;"
        "steep times (relax + 1)/mu",
    )


def balanced(o: StatementOutline, gap: str = GAP, noise: str = NOISE) -> None:
    """The step that knows K: what is left of the start, and the noise."""
    once = f"L*{noise}/(mu**2*K)"
    o.step("by the gap", f"argument*left**K*{gap} <= argument*half**K*{gap} + {gap}", "step; gap")
    o.step(
        "with the argument",
        f"argument*(left**K*{gap}) <= argument*(half**K*{gap} + {once})",
        "by the gap; argument times 1/(mu**2*K)",
    )
    o.step("left of the start", f"left**K*{gap} <= half**K*{gap} + {once}", "with the argument")
    known = "eta <= log/(mu*K)" if noise == "spread" else "independent; eta <= log/(mu*K)"
    o.step("noise", f"{REST} <= {once}/2*log", known)
