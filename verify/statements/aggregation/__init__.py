"""Ben Mansour, Carenini, Duplessis: aggregation under heterogeneity (paper key ``aggregation``).

Weights are read as non-negative throughout, which eq. 3 does not say, the words on "alpha_t^i equal
to zero" after eq. 16 suggest and Jensen's inequality in Appendix A needs.  tau, printed without a
definition, is read as E, which stands in its place.  F_i^* is printed as F(w_i^*), with F for F_i:
read as F_i(w_i^*), the least value of F_i, to which Appendix A applies Lemma 1; with F the Gamma of
eq. 5 would never be positive.
"""

from verify.claim import open_places

SHEET = """
notation alg1 eq1 eq2 eq3 eq4
strategy.fedavg strategy.fedmax strategy.fedmaxk strategy.fedsoftmax complexity
A1 A2 A3 A4 def_opt eq5 eq8 rhobar rhotilde eq16
lemma1 lemma2 theorem3 corollary4 V E remark5 remark6
eq13 eq14 errorfree
remark7 rho_bounds eq17 eq18 Pi_bound E_bound eq19 remark8 eq20 text.tight
RQ1 RQ2 RQ3 RQ4 RQ5
proof.expand proof.A1a proof.A1b proof.A2 proof.A3 proof.A4 proof.pre proof.A5 proof.recursion
proof.psi
exp.data exp.model table2 metrics table3 table4 fig1 fig2 fig3 fig4 fig5 fig6 fig7
remark9 remark10 stability conclusion
"""

AXES = open_places("""
range :: where A3 and A4 bound the stochastic gradients
    run :: Assumptions 3 and 4: 'E||g_i(w_i)||^2 <= G^2', w_i being the 'model of client
        i' (Table 1) :: A4 is about the local models of the run
    space :: Assumption 4: 'uniformly bounded' :: A4 is about every point
slip :: iterates :: when models are aggregated, and what w_t is in between
    section2 :: eq. 2: aggregated 'if E | t'; eq. 4: 'where alpha_t^i = p_i' ::
        w_1, w_(E+1), ... are aggregated and w_t is the p-average in between
    algorithm :: Algorithm 1: t in {0, E, ..., (T-1)E}, w_(t+E) aggregated; Appendix A has alpha_t^i
        in |w_(t+1) - w^*|^2 at every t ::
        w_E, w_2E, ... are aggregated and w_t has the weights of the round in between
slip :: spread-factor :: the factor of the spread in the bound of A_1
    one :: Appendix A, bound of A_1: 'eta_t^2 E^2 G^2' :: the spread has the factor 1
    sixteen :: Lemma 2: '16 eta_t^2 E^2 G^2'; Appendix A, before A_5: '16 eta_t^2 E^2 G^2' :: the
        spread has the factor 16
slip :: bounded :: what the first line of the bound by strong convexity bounds
    whole-term :: Appendix A: 'A_1 <= -2 eta_t sum alpha_t^i (F_i(w_t^i) - F_i(w^*) + ..)' :: A_1 is
        bounded
    last-term :: Appendix A: 'by using Assumption 2, we can rewrite the last term of the previous
        inequality' :: the last term of the line before is bounded
slip :: fourth :: whether A_4 is bounded on each draw or in mean
    each-draw :: Appendix A: 'A_4 <= eta_t^2 sum alpha_t^i sigma^2', with no expectation :: A_4 is
        bounded on each draw
    mean-draw :: Appendix A: 'exploiting the linearity of the expected value and using Assumption 3'
        :: A_4 is bounded in mean
slip :: error-factor :: whether the bound of E before eq. 19 has the factor of E
    without-factor :: before eq. 19: 'E <= 1/(pi min p_i) - N' :: it has no factor
    lambda2 :: eq. 19: 'lambda_2 (1/(pi min p_i) - N)' :: it has the factor lambda_2
slip :: parenthesis :: the numerator of eq. 20
    difference :: eq. 20: '4L - 32 tau^2 G^2 + sigma^2' :: it is 4L - 32 tau^2 G^2 + sigma^2
    product :: Corollary 4, V: '4L(32 tau^2 G^2 + sigma^2)' :: it is 4L(32 tau^2 G^2 + sigma^2)
faster :: in which frameworks FedSoftMax is said to converge faster than FedAvg
    every-framework :: Remark 9: 'FedSoftMax has a higher convergence speed compared to FedAvg' ::
        all three are meant
    not-iid-only :: Section 3.2: 'in the not-IID and very-not-IID cases (TNIID)' :: the two that are
        not IID are meant
times :: which t = 0 mod E the min and the max of rho range over
    loop :: Algorithm 1: 'each round t in {0, E, ..., (T-1)E}' ::
        rho-bar and rho-tilde range over the rounds that are run
    endless :: Section 2.1: 'min over t = 0 mod E', no end named ::
        rho-bar and rho-tilde range over all times, as if the run never ended
horizon :: what T counts in w_T and 1/(T + gamma)
    iterations :: Table 1: w_t is 'weights of the global model at time t' :: T counts iterations
    rounds :: Table 1: T is the 'number of communication rounds'; Algorithm 1 returns w_TE ::
        T counts rounds and the model is w_TE
seen :: the models at which FedMax and FedSoftMax take the losses
    start :: eqs. 15, 22: 'F_i(w_t) - F_i^*' :: losses are those where a round begins
    end :: Section 2.3: 'the worst performance at the end of the previous communication round' ::
        losses are those of the local models that are aggregated
optimal :: of what FedAvg and FedMax are said to be optimal
    reached :: Section 2.3: 'optimal in terms of accuracy', Section 3.1: 'the accuracy reached after
        a fixed number of communication rounds'; Section 2.2: 'truly optimal algorithm' ::
        the model that is reached is meant
    bound :: Section 2.3: 'since E = 0', 'optimal bound on the convergence speed' :: the bound is meant
greedy :: where FedMax is said to maximise rho
    whole-run :: Section 2.2: 'the maximization of rho-bar', a minimum over a run ::
        rho-bar of whole runs is compared
    each-point :: eq. 15: J_t is chosen at each w_t :: rho at one point is compared
shares :: over what rho-bar may be arbitrarily large
    any-shares :: Remark 6: 'may be arbitrary large' :: the shares p vary too
    given-shares :: Section 2.1: 'the distribution P' :: the shares p are given
inside-k :: weights inside the k clients of FedMax(k)
    uniform :: eq. 21: 1/|J_t| :: the k clients have equal weights
    by-shares :: Section 2.1: averages are 'upon the distribution P' ::
        the k clients have weights p, renormalised
less-stable :: which of the two is said to be the less stable
    fedavg :: Section 3.2: 'a more pronounced tendency toward instability than FedSoftMax' ::
        FedAvg is
    fedsoftmax :: Section 3.2: 'FedSoftMax, which nevertheless appears to be reasonably stable' ::
        FedSoftMax is, but not by much
tendency :: what has to be so in Table 4 for a tendency
    each-framework :: Table 4: a value for each of the three frameworks :: each of them shows it
    together :: Section 3.2: 'the results in this case show a more pronounced tendency' ::
        the three values together show it
smoothness-value :: whether a larger smoothness value means more stable
    larger-smoother :: Table 4: 'Smoothness value' :: larger means more stable
    larger-rougher :: Table 4: 'normalized standard deviation of the variations' ::
        larger means more variation
""")
"""Open places of the paper, the literal meaning first."""

NOTATION = r"""
excess F(w)-F^{\star} k
other F(w^{\star})-F^{\star} k
share p k
client_weights p k
raw \alpha^{\prime} k
later \alpha^{\prime\prime} k
start w_{0} d
theta \bar{w} td
models w tkd
alpha \alpha tk
coefficients \alpha tk
pace \text{pace} t
step_sizes \eta t
local_steps E -
temperature T_{\mathrm{s}} t
squared_gradient G^{2} -
G2 G^{2} -
gap \Gamma -
squared_start \|w_{0}-w^{\star}\|^{2} -
distance0 \|w_{0}-w^{\star}\|^{2} -
factor c -
seen \text{seen} k
reached \text{reached} -
noise \text{noise} -
bias \text{bias} -
slack \text{slack} -
delay \gamma -
count \text{count} -
horizon T -
level \text{level} -
minimum F^{\star} k
low \overline\rho -
high \tilde\rho -
sigma2_max \sigma^{2} -
timing \text{iterations~are~counted~as~in~the} -
rule \text{weights} -
at t -
beta L -
"""
"""What the symbols of the programs are called in print, see `verify.report.by_hand.notation`."""

LETTERS = ("F", "w")
"""Of a loss and of a model."""
