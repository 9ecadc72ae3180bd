"""Data and figures: what runs would have to show, and what can be decided without them."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds.fedbc.tradeoff import tolerance_tradeoff_exact
from verify.claim import Array, Hypothesis, Real, Sides, numbers
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Appendix E :: data
    exp.synthetic.refined :: labels do not depend on alpha :: (W+u)x+(b+u)-\text{same of another class}=\text{the same with }u=0
Figure 1 :: figure
    fig1 :: a positive gamma where consensus is not optimal :: \exists:\ f'(z_\gamma)=0,\ f'(z_0)\ne0
Figure 2 :: figure :: local against global training loss
    fig2.refined/local :: \gamma\le\gamma'\Rightarrow\bar f_i(x_i(\gamma'))\le\bar f_i(x_i(\gamma))
    fig2.refined/global :: \gamma\le\gamma'\Rightarrow f(z_\gamma)\le f(z_{\gamma'})
""")


@claim(
    "exp.synthetic.refined",
    relation="==",
    family=numbers(
        {
            "features": Real(-2, 2, per=("N",)),
            "first": Real(-2, 2, per=("N",)),
            "second": Real(-2, 2, per=("N",)),
            "offset": Real(-2, 2),
            "other": Real(-2, 2),
            "shift": Real(-4, 4),
        },
        {"N": 1},
        {"N": 3},
        about="two classes of one device, any features",
    ),
)
def alpha_idle(w: World) -> Sides:
    """u_k moves the scores of all classes alike, by u_k (1 + sum_j x_j), so that labels, and with
    them the data, do not depend on alpha.

    Proof. (W + u 11^T) x + (b + u 1) = W x + b + u (1 + sum x) 1."""
    shift = w.shift[..., None]
    first = xp.total((w.first + shift) * w.features) + w.offset + w.shift
    second = xp.total((w.second + shift) * w.features) + w.other + w.shift
    return {"first with u": first, "-second with u": -second}, {
        "first": xp.total(w.first * w.features) + w.offset,
        "-second": -xp.total(w.second * w.features) - w.other,
    }


def _rest(multipliers: Array, w: World) -> Array:
    """f'(z) where the clients pull with equal force: sum of curvature times force/(2 lambda)."""
    signed = w.curvature[..., 0] / multipliers[..., 0] - w.curvature[..., 1] / multipliers[..., 1]
    return xp.absolute(w.force * signed / 4)


def _consensus(w: World) -> Array:
    return _rest(w.top[..., None] + 0 * w.curvature, w)


@claim(
    "fig1",
    quantifier="some",
    family=numbers(
        {
            "curvature": Real(1 / 4, 4, log=True, per=("N",)),
            "force": Real(1 / 4, 4, log=True),
            "scale": Real(1 / 4, 4, log=True),
            "top": Real(1 / 4, 4, log=True),
        },
        {"N": 2},
        about="two quadratics on the line where FedBC stands still",
    ),
    given=[
        Hypothesis("consensus is not optimal", r"f'(z_0)\ne0", _consensus, "Figure 1", strict=True)
    ],
)
def figure1(w: World) -> Sides:
    """A positive gamma lets multipliers be proportional to curvatures, and then z is optimal; with
    gamma = 0 both rise to lambda_max, and z is not, the curvatures being different."""
    free = w.scale[..., None] * w.curvature
    return {"with gamma": _rest(free, w)}, {"0": 0 * w.force}


def _solved(w: World, reach: Any) -> Any:
    curves = w.curvature[..., 0], w.curvature[..., 1]
    return tolerance_tradeoff_exact(curves, (w.apart, 0 * w.apart), reach)


@claim(
    "fig2.refined/local",
    family=numbers(
        {
            "curvature": Real(1 / 8, 8, log=True, per=("N",)),
            "apart": Real(1 / 4, 4, log=True),
            "reach": Real(0, 2),
            "more": Real(0, 2),
        },
        {"N": 2},
        about="two quadratics on the line, one tolerance",
    ),
)
def local_falls(w: World) -> Sides:
    """Proof. Distances to the own optima fall linearly in sqrt(gamma) until they are zero."""
    return {"larger gamma": _solved(w, w.reach + w.more).local}, {
        "gamma": _solved(w, w.reach).local
    }


@claim("fig2.refined/global", like=local_falls)
def global_rises(w: World) -> Sides:
    """Proof. The excess is gamma (h_1 - h_2)^2/(4 (h_1 + h_2)), zero only for equal curvatures: on
    the training loss no positive gamma improves the server's model."""
    return {"gamma": _solved(w, w.reach).excess}, {
        "larger gamma": _solved(w, w.reach + w.more).excess
    }


# -- what needs runs -------------------------------------------------------------------------------

LISTED = q.listed(r"""
data :: exp.synthetic :: Appendix E :: y=\arg\max(W_kx+b_k),\ W_k,b_k\sim\mathcal N(u_k,1),\ u_k\sim\mathcal N(0,\alpha) :: Synthetic(alpha, beta)
data :: exp.real :: Appendix E :: n_k\propto k^{-a}\ \text{or}\ a^{-k} :: MNIST, CIFAR-10, Shakespeare
data :: table5 :: Table 5 :: [\min n_k,\max n_k] :: sizes per device
figure :: fig2 :: Figure 2 :: \text{curves} :: accuracies against a common gamma :: the data set, model and protocol
figure :: fig3a :: Figure 3a :: \text{curves} :: train loss, E = 5 :: SYNTHETIC
figure :: fig3b :: Figure 3b :: \text{curves} :: coefficients of the min and max user :: SYNTHETIC
figure :: fig3c :: Figure 3c :: \text{curves} :: multipliers against sizes :: SYNTHETIC
figure :: fig3d :: Figure 3d :: \text{curves} :: variance over devices :: SYNTHETIC
figure :: fig4 :: Figure 4 :: \text{curves} :: min and max user, E = 5 :: SYNTHETIC
figure :: fig5-6 :: Figures 5 and 6 :: \text{curves} :: sizes of the data sets :: the numbers behind the bars
figure :: fig7 :: Figure 7 :: \text{curves} :: train loss, multipliers, numbers of devices :: SYNTHETIC
figure :: fig8 :: Figure 8 :: \text{curves} :: coefficients for E = 1, 10, 25, 50 :: SYNTHETIC
figure :: fig9-12 :: Figures 9 to 12 :: \text{curves} :: min and max user for E = 1, 10, 25, 50 :: SYNTHETIC
figure :: fig13 :: Figure 13 :: \text{curves} :: coefficients on CIFAR-10 :: runs on CIFAR-10 are not in the package
figure :: fig14-15 :: Figures 14 and 15 :: \text{curves} :: variance over devices on CIFAR-10 :: runs on CIFAR-10 are not in the package
figure :: q.fair :: Section 5 :: \text{curves} :: devices weighted equally :: a measure of equal weights
""")
