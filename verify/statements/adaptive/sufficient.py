"""Definition 2 (sufficient cluster and variance), its limits, and Lemma 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bounds import generic as xp
from bounds.similarity import effective_variance, inverse_variance
from bounds.sufficient import (
    sufficient_ratio_printed,
    sufficient_variance_limit_infinity_printed,
    sufficient_variance_limit_zero,
    sufficient_variance_limit_zero_printed,
)
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape, plain_numbers
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.common import (
    MENDED,
    PHI,
    PRECISION,
    along,
    excess,
    phi_of,
    run_family,
    source,
    sufficient,
)
from verify.world.world import World

# -- the definition on free constants ----------------------------------------------------------


def _constants(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Client 0 is similar to itself: b = c = 0."""
    others = {}
    for name in ("bias", "slope"):
        value = values[name].copy()
        value[..., 0] = 0 * value[..., 0]
        others[name] = value
    return plain_numbers({**values, **others}, shape)


def definition_family(
    extra: Mapping[str, Real], names: tuple[str, ...] = ("continuous", "binary")
) -> Family:
    """Definition 2 on free constants, with further parameters."""
    shapes = tuple({"N": n, "phi": phi} for n in (2, 3) for phi in names)
    box = {
        "bias": Real(0, 4, unit=(1, -1), per=("N",)),
        "slope": Real(0, 2, per=("N",)),
        "sigma2": Real(1 / 16, 16, unit=(2, -2), log=True, per=("N",)),
        "mu": Real(1 / 16, 16, unit=(1, -2), log=True),
        **PHI,
        **extra,
    }
    return Family(box, shapes, _constants, "any constants b_ik, c_ik, sigma_k, mu")


def _variance(w: World, precision: Any) -> Any:
    ratio = sufficient_ratio_printed(w.bias, w.slope, w.mu, precision)
    return effective_variance(ratio, phi_of(w, ratio), w.sigma2)


def _mono(w: World) -> tuple[Terms, Terms]:
    return {"sigma_suf^2(larger)": _variance(w, w.precision * w.factor)}, {
        "sigma_suf^2(eps)": _variance(w, w.precision)
    }


def _bounded(w: World) -> tuple[Terms, Terms]:
    """A monotone function that is bounded as eps decreases has a limit there."""
    own = inverse_variance(phi_of(w, 1 + 0 * w.slope[..., :1]), w.sigma2[..., :1])
    return {"sigma_suf^2(eps)": _variance(w, w.precision)}, {"sigma_i^2/psi(1)": own}


def _small_precision(w: World) -> Any:
    """A precision below b_ik/(2 mu) for every client with b_ik > 0."""
    large = 1 + xp.total(w.bias)
    smallest = xp.smallest(xp.where(w.bias > 0, w.bias, large[..., None]))
    return w.share * smallest / (2 * w.mu)


def _zero_limit(limit: Callable[..., Any]) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Proof. Below b_ik/(2 mu) of every client with b_ik > 0, sigma_suf^2 does not change any more,
        so its value there is the limit."""
        value = _variance(w, _small_precision(w))
        right = limit(w.bias, w.slope, w.phi, w.sigma2, w.threshold)
        return {"sigma_suf^2(eps)": value}, {"limit": right}

    return sides


def _infinity(w: World) -> tuple[Terms, Terms]:
    """An explicit rate that vanishes as eps grows: psi(x) = x^2 has slope at most 2 on [0, 1]."""
    limit = sufficient_variance_limit_infinity_printed(w.slope, w.phi, w.sigma2, w.threshold)
    gap = xp.absolute(1 / _variance(w, w.precision) - 1 / limit)
    return {"gap of 1/sigma^2": gap}, {
        "sum b/(mu eps sigma^2)": xp.total(w.bias / w.sigma2) / (w.mu * w.precision)
    }


def _excluded(w: World) -> tuple[Terms, Terms]:
    """Contrapositive: a client of the sufficient cluster has c_ik < 1."""
    return {"c_ik": w.slope[..., 1]}, {"1": 1}


def _included(w: World) -> Terms:
    ratio = sufficient_ratio_printed(w.bias, w.slope, w.mu, w.precision)
    return {"client 1 in the sufficient cluster": (ratio * phi_of(w, ratio))[..., 1]}


def _helps(w: World) -> tuple[Terms, Terms]:
    at = along(w, w.run().theta[..., 0, :])
    return {"sigma_eff^2": at.effective}, {"sigma_i^2": w.sigma2[..., 0]}


def _dissimilar_but_helpful(w: World) -> Terms:
    at = along(w, w.run().theta[..., 0, :])
    return {
        "c_ik >= 1": w.slope[..., 1] - 1,
        "client 1 in the effective cluster": at.alpha[..., 1],
        "variance reduced": w.sigma2[..., 0] - at.effective,
        "own gradient": at.squared_gradient,
    }


# -- Lemma 2 along a run -----------------------------------------------------------------------

RUNS = run_family((1, 1, 1), (2, 1, 1), (2, 2, 1), extra=PRECISION)


def _step(w: World) -> Any:
    return w.step_share / w.beta


Reading = tuple[Callable[[World], Any], int]
"""What epsilon_i^t stands for, and the round at which the effective quantities are taken."""


def _mean_excess(w: World) -> Any:
    return w.mean(excess(w, 1))


def _realised_excess(w: World) -> Any:
    return excess(w, 1)


READINGS: dict[str, Reading] = {
    "mean-before": (_mean_excess, 0),
    "mean-after": (_mean_excess, 1),
    "realised-before": (_realised_excess, 0),
    "realised-after": (_realised_excess, 1),
}


_TIGHT = "Tight where A3 holds with equality and the excess is G^2/(2 mu), as in one dimension."
_LEMMA2_PROOF = """Proof, with X the realised excess at the point: A5 gives G^2 >= 2 mu X, A3 gives
Delta_k^2 <= b^2 + c G^2, hence r_ik >= (1 - b^2/(2 mu X) - c)_+; psi is non-decreasing, so every
summand of 1/sigma_eff^2 is at least that of 1/sigma_suf^2(X), and positive where the latter is."""


def _chain(reading: Reading, printed: bool, part: str) -> Callable[[World], tuple[Terms, Terms]]:
    precision_of, at_round = reading

    def sides(w: World) -> tuple[Terms, Terms]:
        at = along(w, w.run().theta[..., at_round, :])
        ratio, variance = sufficient(w, precision_of(w), printed)
        if part == "variance":
            return {"sigma_eff^2": at.effective}, {"sigma_suf^2": variance}
        inside = ratio * phi_of(w, ratio)
        return {"in the sufficient cluster": xp.indicator(inside > 0, inside)}, {
            "in the effective cluster": xp.indicator(at.alpha > 0, at.alpha)
        }

    sides.__doc__ = _TIGHT if printed else f"{_TIGHT}\n\n{_LEMMA2_PROOF}"
    return sides


def _lemma2_given(reading: Reading) -> Callable[[World], Terms]:
    precision_of, at_round = reading

    def given(w: World) -> Terms:
        at = along(w, w.run().theta[..., at_round, :])
        return {"excess": precision_of(w), "own gradient": at.squared_gradient}

    return given


def _second_link(w: World) -> tuple[Terms, Terms]:
    """sigma_suf at the excess against sigma_suf at a smaller precision."""
    level = _realised_excess(w)
    _, larger = sufficient(w, level)
    _, smaller = sufficient(w, level / w.factor)
    return {"sigma_suf^2(excess)": larger}, {"sigma_suf^2(eps)": smaller}


_LEMMA2: dict[str, Any] = {
    "family": RUNS,
    "defines": {"step_size": _step},
    "over": "path",
    "kind": "lemma",
}
_EXCESS = frozenset({"excess", "own gradient"})
_TEXT = {
    "cluster": r"\mathcal N_i^\star(\varepsilon_i^t)\subset\mathcal N_i^t",
    "variance": r"\sigma_{i,\mathrm{eff}}^t\le\sigma_{i,\mathrm{suf}}(\varepsilon_i^t)",
}


def _lemma2() -> tuple[Statement, ...]:
    out = []
    for part, text in _TEXT.items():
        for name, reading in READINGS.items():
            out.append(
                Statement(
                    key=f"adaptive.lemma2/{part}@{name}", source=source("Lemma 2"),
                    title="effective beats sufficient", latex=text, uses=("adaptive.def2.mono",),
                    sides=_chain(reading, True, part), given=_lemma2_given(reading),
                    strict=_EXCESS, **_LEMMA2,
                )
            )
        reading = READINGS["realised-after"]
        out.append(
            Statement(
                key=f"adaptive.lemma2.repaired/{part}", source=source("Lemma 2"), form="repaired",
                title="effective beats sufficient, with b^2 in Definition 2 and realised excess",
                latex=text + MENDED, sides=_chain(reading, False, part),
                given=_lemma2_given(reading), strict=_EXCESS, **_LEMMA2,
            )
        )
    out.append(
        Statement(
            key="adaptive.lemma2/monotone", source=source("Lemma 2"), title="smaller precision",
            latex=r"\sigma_{i,\mathrm{suf}}(\varepsilon_i^t)\le\sigma_{i,\mathrm{suf}}(\varepsilon)",
            sides=_second_link, given=lambda w: {"excess": _realised_excess(w)},
            strict=frozenset({"excess"}),
            **{**_LEMMA2, "family": run_family((2, 1, 1), extra={"factor": Real(1, 16, log=True)})},
        )
    )
    return tuple(out)


_LIMIT = r"\lim_{\varepsilon\to0}\sigma_{i,\mathrm{suf}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{%s}\psi((1-c_{ik})_+)\mathbb 1_{b_{ik}=0}\Bigr)^{-1}"

STATEMENTS = (
    Statement(
        key="adaptive.def2.mono/decreasing", source=source("Definition 2"), kind="property",
        title="sufficient variance decreases", sides=_mono,
        latex=r"\varepsilon\le\varepsilon'\Rightarrow\sigma_{i,\mathrm{suf}}^2(\varepsilon')\le\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
        family=definition_family({**PRECISION, "factor": Real(1, 64, log=True)}),
    ),
    Statement(
        key="adaptive.def2.mono/limit", source=source("Definition 2"), kind="property",
        title="sufficient variance has a limit", sides=_bounded,
        latex=r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)\le\sigma_i^2/\psi(1)",
        family=definition_family(PRECISION),
    ),
    Statement(
        key="adaptive.def2.lim0", source=source("after Definition 2"), kind="property",
        title="limit of high precision", latex=_LIMIT % "2", relation="==",
        family=definition_family({"share": Real(1 / 64, 1, log=True)}),
        sides=_zero_limit(sufficient_variance_limit_zero_printed),
    ),
    Statement(
        key="adaptive.def2.lim0.repaired", source=source("after Definition 2"), kind="property",
        form="repaired", title="limit of high precision", latex=_LIMIT % "-2", relation="==",
        family=definition_family({"share": Real(1 / 64, 1, log=True)}),
        sides=_zero_limit(sufficient_variance_limit_zero),
    ),
    Statement(
        key="adaptive.def2.liminf", source=source("after Definition 2"), kind="property",
        title="limit of low precision", sides=_infinity,
        latex=r"\lim_{\varepsilon\to\infty}\sigma_{i,\mathrm{cont}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{-2}\psi((1-c_{ik})_+)\Bigr)^{-1}",
        family=definition_family(PRECISION, ("continuous",)),
    ),
    Statement(
        key="adaptive.def2.c1/excluded", source=source("after Definition 2"), kind="property",
        title="very dissimilar clients", sides=_excluded, given=_included,
        latex=r"k\in\mathcal N_i^\star(\varepsilon)\Rightarrow c_{ik}<1",
        strict=frozenset({"client 1 in the sufficient cluster"}),
        family=definition_family(PRECISION),
    ),
    Statement(
        key="adaptive.def2.c1/helps", source=source("after Definition 2"), kind="property",
        title="very dissimilar clients", sides=_helps, given=_dissimilar_but_helpful,
        latex=r"c_{ik}\ge1,\ k\in\mathcal N_i^t,\ \sigma_{i,\mathrm{eff}}^t<\sigma_i",
        strict=frozenset(
            {"client 1 in the effective cluster", "variance reduced", "own gradient"}
        ),
        family=run_family((2, 1, 1)), defines={"step_size": _step}, quantifier="some",
    ),
    *_lemma2(),
)  # fmt: skip
