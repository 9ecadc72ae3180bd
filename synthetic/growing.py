r"""Streamed least squares whose noise grows with the distance from the optimum, up to a ball.

Fresh rows x give the gradient :math:`x\langle x, e\rangle` at the error e, whose variance is a
quadratic form in e: no bound holds on all of R^d.  Here the noise beyond a ball about the
minimiser is the one at the nearest point of the ball.  Inside nothing is changed, and assumption A2
holds with the largest value on the ball, which is attained.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field
from synthetic.noise.word_law import WordLaw
from synthetic.quadratic import QuadraticLoss

LAWS = ("gaussian", "sphere", "two_point", "finite")


class GrowingNoise(WordLaw, QuadraticLoss):
    r"""R_k(theta) = |L_k^T e|^2/2 with e = theta - target_k, from rows x = L_k z drawn afresh.

    .. math:: g_k(\theta) = H_k e + (xx^\top - H_k)\,\Pi(e) + s_k\xi x, \qquad H_k = L_kL_k^\top,

    with z and xi uncorrelated, of mean 0 and variance 1, and Pi the projection on the ball of the
    radius. With p = Pi(e) the variance of g_k is

    .. math:: \kappa(\operatorname{tr}H\,p^\top Hp + 2\|Hp\|^2 + s^2\operatorname{tr}H)
              - \|Hp\|^2 + \gamma\sum_j\|L_{\cdot j}\|^2(L^\top p)_j^2 .

    Data
    ----
    root : ``(..., N, d, d)``, loss^(1/2) / length
        L_k, of full rank.
    targets : ``(..., N, d)``, length
    radius : ``(...)``, length, > 0
        Beyond this distance from its minimiser a client's noise grows no more.
    label_scale : ``(..., N)``, loss^(1/2), >= 0
        s_k, standard deviation of the labels' noise.
    law : str
        Of the d + 1 words (z, xi): gaussian, sphere (all of them together on one), two_point or
        finite (independent words). Default gaussian.
    skew, values, probabilities
        As in `WordLaw`.

    Notes
    -----
    gamma is the excess kurtosis of a word and kappa 1, but on the sphere of R^(d+1), where gamma is
    0 and kappa = (d+1)/(d+3).
    """

    name: ClassVar[str] = "growing"
    fields: ClassVar[dict[str, Field]] = {
        "root": Field("N d d", (1 / 2, -1), required=True),
        "targets": Field("N d", (0, 1), required=True),
        "radius": Field("", (0, 1), sign="positive", required=True),
        "label_scale": Field("N", (1 / 2, 0), sign="nonnegative"),
    }
    options: ClassVar[dict[str, Any]] = {"law": "gaussian"}

    def check(self) -> None:
        """Check the law of a word."""
        require(self.law in LAWS, "law", f"one of {', '.join(LAWS)}", self.law, "choose one")
        super().check()

    @property
    def half(self) -> bool:
        """The loss carries the factor 1/2."""
        return True

    @cached_property
    def form(self) -> Array:
        """H_k = L_k L_k^T."""
        return generic.matmul(self.data["root"], self.data["root"].swapaxes(-1, -2))

    @cached_property
    def optimum(self) -> Array:
        """The targets."""
        return self.data["targets"]

    @property
    def law(self) -> str:
        """Law of the words."""
        return str(self.option("law"))

    @property
    def noise_width(self) -> int:
        """Number of words: d of the row and one of its label."""
        return self.dim + 1

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """Gradients from words ``(..., N, d + 1)``; normal ones have variance 1/(d + 1)."""
        if self.law in ("gaussian", "sphere"):
            u = u * generic.sqrt(generic.ones_like(u[..., :1]) * self.noise_width)
        root, near = self.data["root"], self._held(thetas)
        row = generic.matvec(root, u[..., :-1])
        residual = generic.dot(row, near) + self._label_scale * u[..., -1]
        return self.own_gradients(thetas - near) + residual[..., None] * row

    def own_gradient_variance(self, thetas: Array) -> Array:
        """The quadratic form of the error, held at the border of the ball, and the labels' part."""
        near = self._held(thetas)
        square = generic.dot(near, generic.matvec(self._spread, near))
        return square + self._label_variance

    @cached_property
    def noise_variance(self) -> Array:
        """sigma_k^2 of A2: the largest value on the ball, attained on its border."""
        top = generic.largest_eigenvalue(self._spread)
        return generic.trailing(self.data["radius"]) ** 2 * top + self._label_variance

    # Parts of the variance.

    @cached_property
    def _label_scale(self) -> Array:
        if "label_scale" in self.data:
            return self.data["label_scale"]
        return generic.zeros_like(self.optimum[..., 0])

    @cached_property
    def _label_variance(self) -> Array:
        return self._kappa * self._label_scale**2 * self._trace

    @cached_property
    def _trace(self) -> Array:
        return generic.total(generic.total(self.data["root"] ** 2))

    @property
    def _kappa(self) -> Array:
        one = generic.ones_like(self.optimum[..., 0])
        width = self.noise_width
        return one * width / (width + 2) if self.law == "sphere" else one

    @cached_property
    def _kurtosis(self) -> Array:
        """E word^4 - 3, ``(..., N)``; of no effect on the sphere."""
        if self.law in ("gaussian", "sphere"):
            return generic.zeros_like(self.optimum[..., 0])
        values, chances = self.noise_support()
        return generic.total(chances * values**4) - 3 + 0 * self.optimum[..., 0]

    @cached_property
    def _spread(self) -> Array:
        """Matrix of the quadratic form, ``(..., N, d, d)``."""
        root, form = self.data["root"], self.form
        square = generic.matmul(form, form)
        kappa, trace = (x[..., None, None] for x in (self._kappa, self._trace))
        columns = generic.total(root**2, -2)[..., None, :]  # |L_j|^2
        peaked = generic.matmul(root * columns, root.swapaxes(-1, -2))
        kurtosis = self._kurtosis[..., None, None]
        return kappa * (trace * form + 2 * square) - square + kurtosis * peaked

    def _held(self, thetas: Array) -> Array:
        """Pi(theta_k - target_k), ``(..., N, d)``."""
        error = thetas - self.optimum
        radius = generic.trailing(self.data["radius"], 2)
        square = generic.squared_norm(error)[..., None]
        inside = square <= radius**2
        length = generic.sqrt(generic.where(inside, radius**2 + 0 * square, square))
        return generic.where(inside, error, error * (radius / length))
