"""Setting and algorithms: records without a verdict, and the identities among them."""

from __future__ import annotations

from math import inf

from bounds import generic as xp
from verify.claim import Array, Reading, Real, Sides, numbers
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
(17)-(19) :: property :: gradients of the Lagrangian
    grad/17 :: \nabla_{x_i}\mathcal L_i=\nabla f_i(x_i)+2\lambda_i(x_i-z)
    grad/18@one-client :: \nabla_z\mathcal L_i=-\sum_i2\lambda_i(x_i-z)
    grad/18@all-clients :: \nabla_z\mathcal L=-\sum_i2\lambda_i(x_i-z)
    grad/19 :: \nabla_{\lambda_i}\mathcal L_i=\|x_i-z\|^2-\gamma_i
after (10) :: claim
    oracle.K.refined :: linear convergence of the local steps :: \|e^{(K)}\|^2\le(1-\beta(2\lambda-L))^{2K}\|e^{(0)}\|^2
(12), (13) :: definition
    def.server :: server step :: \sum_{j\in\mathcal S_t}\lambda_j^{t+1}(x_j^{t+1}-z^{t+1})=0
Section 5, selection of gamma :: claim
    heur.gamma/slope :: derivative in gamma :: \partial_{\gamma_i}\mathcal L=-\lambda_i
    heur.gamma/grows :: gamma never decreases :: \gamma_i\le\gamma_i+\eta\lambda_i
""")


# -- gradients of the Lagrangian (17)-(19), by differences that are exact for quadratics -----------

QUADRATICS = numbers(
    {
        "curvature": Real(-4, 4, unit=(1, -2), per=("N",)),
        "centre": Real(-2, 2, unit=(0, 1), per=("N",)),
        "model": Real(-2, 2, unit=(0, 1), per=("N",)),
        "server": Real(-2, 2, unit=(0, 1)),
        "multiplier": Real(0, 4, unit=(1, -2), per=("N",)),
        "gamma": Real(0, 4, unit=(0, 2), per=("N",)),
    },
    *({"N": 1}, {"N": 2}),
    about="quadratics on the line, any curvature",
)


def _lagrangian(w: World, model: Array, server: Array, multiplier: Array) -> Array:
    """L_i of (8) for f_i(x) = curvature (x - centre)^2/2, (B, 1, N)."""
    loss = w.curvature * (model - w.centre) ** 2 / 2
    return loss + multiplier * ((model - server[..., None]) ** 2 - w.gamma)


def _difference(w: World, of: str) -> Array:
    """Central difference with step 1: exact, as L_i is a quadratic in each argument."""
    names = ("model", "server", "multiplier")
    high, low = (
        _lagrangian(w, *(getattr(w, name) + sign * (name == of) for name in names))
        for sign in (1, -1)
    )
    return (high - low) / 2


@claim("grad/17", relation="==", family=QUADRATICS)
def eq17(w: World) -> Sides:
    """Gradient in x_i."""
    slope = w.curvature * (w.model - w.centre)
    pull = 2 * w.multiplier * (w.model - w.server[..., None])
    return {"difference": _difference(w, "model")}, {"slope": slope, "2 lambda (x - z)": pull}


def _pulls(w: World) -> Array:
    return -xp.total(2 * w.multiplier * (w.model - w.server[..., None]))


@claim("grad/18@one-client", like=eq17)
def eq18(w: World) -> Sides:
    """The left side names one L_i, the right side sums over all; L of (16) is meant."""
    return {"of L_i": _difference(w, "server")}, {"sum": _pulls(w)[..., None] + 0 * w.model}


@claim("grad/18@all-clients", like=eq17)
def eq18_of_all(w: World) -> Sides:
    """With the sum of all L_i on the left, as in (16).

    Proof. The derivative of a sum."""
    return {"of L": xp.total(_difference(w, "server"))}, {"sum": _pulls(w)}


@claim("grad/19", like=eq17)
def eq19(w: World) -> Sides:
    """Gradient in lambda_i."""
    gap = (w.model - w.server[..., None]) ** 2
    return {"difference": _difference(w, "multiplier")}, {"gap": gap, "-gamma": -w.gamma}


@claim(
    "oracle.K.refined",
    family=numbers(
        {
            "step_share": Real(1 / 64, 1, domain=(0, 1)),
            "residual": Real(1 / 16, 16, log=True),
            "stiff": Real(1 / 16, 16, log=True),
            "ratio": Real(9 / 16, 8, log=True, domain=(1 / 2, inf)),
            "bend": Real(-1, 1, domain=(-1, 1)),
        },
        *({"steps": k} for k in (1, 2, 5)),
        about="gradient steps on a quadratic of curvature between -L and L, 2 lambda > L",
    ),
)
def local_contraction(w: World) -> Sides:
    """Squared residual after K gradient steps of size beta <= 1/(L + 2 lambda): at most (1 - beta
    (2 lambda - L))^{2K} times the first one, so that K of the order of log(1/epsilon) steps do,
    fewer than 1/epsilon.

    Proof. L_i(., z, lambda) has curvature between 2 lambda - L > 0 and 2 lambda + L; a gradient
    step multiplies the gradient by 1 - beta times an average curvature."""
    pull = 2 * w.stiff * w.ratio
    beta = w.step_share / (w.stiff + pull)
    own = (1 - beta * (w.bend * w.stiff + pull)) ** 2
    most = (1 - beta * (pull - w.stiff)) ** 2
    return {"after": w.residual * own**w.steps}, {"bound": w.residual * most**w.steps}


@claim("def.server", relation="==", over="path", family=q.runs(*q.FULL, q.size(3, 2, **q.STEPPED)))
def server_step(w: World) -> Sides:
    """sum_j lambda_j^{t+1} (x_j^{t+1} - z^{t+1}) = 0 over the sampled set: (13) is the zero of the
    gradient in z of the Lagrangians that the server sees."""
    r = q.first_round(w)
    members = range(w.S)  # the first sampled set
    heard = [r.updated[..., j] * r.new[..., j] for j in members]
    whole = sum((r.updated[..., j] for j in members), 0 * w.dual_step)
    return {"sum lambda x": sum(heard[1:], heard[0])}, {"sum lambda z": whole * r.after}


@claim("heur.gamma/slope", readings=("lagrangian",), relation="==", family=QUADRATICS)
def slope_in_gamma(w: World, r: Reading) -> Sides:
    """Central difference of the Lagrangian in gamma_i."""
    n = w.multiplier.shape[-1] if "mean" in r else 1
    gap = (w.model - w.server[..., None]) ** 2
    high, low = (w.multiplier * (gap - w.gamma - sign) for sign in (1, -1))
    return {"difference": (high - low) / (2 * n)}, {"-lambda": -w.multiplier}


@claim(
    "heur.gamma/grows",
    family=numbers(
        {"before": Real(0, 4), "rate": Real(1 / 64, 4, log=True), "lam": Real(0, 4)},
        about="any gamma, step and multiplier",
    ),
)
def gamma_grows(w: World) -> Sides:
    """gamma + eta lambda with lambda >= 0."""
    return {"before": w.before}, {"after": w.before + w.rate * w.lam}


LISTED = q.listed(r"""
definition :: def.global :: (1) :: \min_{x\in\mathcal X}F(x)=\tfrac1N\sum_if_i(x) :: global problem
definition :: def.local :: (2) :: \min_{x\in\mathcal X}f_i(x) :: local problem
definition :: def.consensus :: (3) :: \min\sum_if_i(x_i)\ \text{s.t.}\ x_i=z :: consensus problem
definition :: def.baselines :: (4)-(6) :: f_i(x)+\tfrac\mu2\|x-z\|^2;\ \operatorname{argmin}_\theta f_i(\theta)+\tfrac\mu2\|\theta-z\|^2;\ f_i(x-\nabla f_i(x)) :: FedProx, pFedMe, Per-FedAvg
definition :: def.problem :: (7) :: \min\sum_if_i(x_i)\ \text{s.t.}\ \|x_i-z\|^2\le\gamma_i :: beyond consensus
definition :: def.lagrangian :: (8) :: \mathcal L_i(z,x_i,\lambda_i)=f_i(x_i)+\lambda_i(\|x_i-z\|^2-\gamma_i) :: Lagrangian
definition :: def.primal :: (9) :: x_i^{t+1}=\operatorname{argmin}_x\mathcal L_i(x,z^t,\lambda_i^t) :: ideal primal step
definition :: def.oracle :: (10) :: \|\nabla_{x_i}\mathcal L_i(x_i^{t+1},z^t,\lambda_i^t)\|^2\le\epsilon_i :: local oracle
definition :: def.dual :: (11) :: \lambda_i^{t+1}=\mathcal P_\Lambda[\lambda_i^t+\alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)] :: dual step
definition :: def.Lambda :: after (11) :: \Lambda=[\lambda_{\min},\lambda_{\max}] :: dual domain, its ends derived inside the proofs
algorithm :: alg1 :: Algorithm 1 :: z^{t+1}=\sum_{j\in\mathcal S_t}\lambda_j^{t+1}x_j^{t+1}/\sum_j\lambda_j^{t+1} :: FedBC
algorithm :: alg2 :: Algorithm 2 :: w^{k+1}=w^k-\beta(\nabla f_i(w^k)+2\lambda_i^t(w^k-z^t)),\ w^0=x_i^t :: local updates
algorithm :: alg3 :: Algorithm 3 :: w^{k+1}=w^k-\beta\nabla f_i(w_J^k),\ w_{j+1}^k=w_j^k-\alpha(\nabla f_i(w_j^k)+2\lambda_i^t(w_j^k-z^t)) :: Per-FedBC
claim :: oracle.K :: after (10) :: K_i=\mathcal O(1/\epsilon_i)\ \text{or}\ \mathcal O(1/\epsilon_i^2) :: number of local steps :: the constants, the step sizes and whether the last or the best iterate counts; the refined form gives a logarithm under 2 lambda_min > L
claim :: heur.gamma/practice :: Section 5, selection of gamma :: \gamma_i^0=0 :: works very well in practice :: a measure of working well, and the order of the updates
""")
