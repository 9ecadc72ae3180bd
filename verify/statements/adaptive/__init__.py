"""Philippenko, Le Bars, Scaman, Massoulie: adaptive collaboration (paper key ``adaptive``)."""

from verify.claim import open_places

SHEET = """
setting alg.afo excess-known ratio def1 def2 def3 estimator
A1 A2 A3 A4 A5 A6
lemma1 property1 property1.b
def1.drift def1.sum def1.var remark1 theorem1
def2.mono def2.lim0 def2.liminf def2.c1 remark2 lemma2
theorem2 theorem2.const theorem2.horizon theorem2.decr remark3 text.thm2 corollary1 theorem3
sec4.lb sec4.even sec4.binmin sec4.contworse sec4.opt sec4.freq
inf.fullgrad inf.less inf.criterion inf.epsfree inf.optimal inf.variance
S1 lemma1.var lemma1.exact theorem1.id S2 theorem1.rec theorem1.sumalpha theorem3.step
data.synth fig1 fig2a fig2b data.split tableS1 fig3 figS1 table2 tableS2 text.exp baselines
"""

AXES = open_places("""
slip :: dissimilarity :: whether b_ik or its square stands over 2 mu epsilon in Definition 2
    plain-b :: Definition 2: 'b_ik/(2 mu epsilon)' :: b_ik stands over 2 mu epsilon
    squared-b :: proof of Lemma 2: '1 - b_ik^2/(2 mu epsilon_i^t) - c_ik'; Assumption 3: 'b_ik^2 +
        c_ik ||grad R_i||^2' :: b_ik^2 stands over 2 mu epsilon
slip :: own-model :: the model at which Lemma 1 takes the own gradient
    new-model :: Lemma 1: '||grad R_i(theta_i^t)||^2' :: the own gradient is that after the step
    old-model :: proof of Lemma 1, last display: '||grad R_i(theta_i^(t-1))||^2' :: the own gradient
        is that before the step
slip :: noise-term :: the factor of the variances in Lemma 1
    eta :: Lemma 1: '+ eta_i^t beta sigma_k^2 (alpha_ik^t)^2' :: the factor is eta beta
    half-eta-squared :: proof of Lemma 1, display before its last: '(eta_i^t)^2 beta sum_k sigma_k^2
        (alpha_ik^t)^2/2'; (S2): '(eta_i^t sigma_eff^t)^2 beta/2' :: the factor is eta^2 beta/2
slip :: asked-model :: the model of the own gradient in the proof of Lemma 2
    asked :: proof of Lemma 2: 'c_ik ||grad R_i(theta_k^t)||^2' :: the own gradient is taken at
        theta_k^t
    own :: proof of Lemma 2: '||grad R_i(theta_i^t) - grad R_k(theta_i^t)||^2'; Assumption 3 has one
        theta :: the own gradient is taken at theta_i^t
slip :: logarithm :: whether beta stands in the logarithm of the horizon-dependent row
    without-beta :: Table 1, bound: 'ln(2 T mu^2 epsilon_i^0/sigma_suf^2(epsilon))' :: beta is not
        in the logarithm
    with-beta :: Table 1, step size: 'ln(2 T mu^2 epsilon_i^0/(beta sigma_suf^2(epsilon)))' :: beta
        is in the logarithm
slip :: summed :: the index over which the weights are summed at the end of the proof of Theorem 1
    over-i :: proof of Theorem 1: 'sum_(i in [N]) alpha_ik' :: the sum is over who asks
    over-k :: proof of Lemma 1: 'A_i^t := sum_(k=1)^N alpha_ik^t' :: the sum is over who is asked
slip :: power :: the power of sigma_k in the limit of high precision
    square :: after Definition 2: 'lim_(epsilon to 0) .. sigma_k^2 psi((1 - c_ik)_+)' :: the limit
        has sigma_k^2
    inverse-square :: Definition 2: 'sigma_k^(-2) psi(..)' :: the limit has sigma_k^(-2)
slip :: letter :: the function in the display of Remark 3 for sigma_phi
    psi :: Remark 3: '(sigma_(i,phi)^t)^2 = (sum_k psi(r_ik)/sigma_k^2)^(-1)' :: psi is in sigma_phi
    phi :: Definition 1: 'sigma_(i,f)^t := (sum_k sigma_k^(-2) f(r_ik))^(-1/2)' :: phi is in
        sigma_phi
slip :: bound-sign :: whether the lower bound of the sufficient variance is strict
    strict :: Section 4: 'sigma_suf^2 > sigma^2 (psi(1) N_i^*(epsilon))^(-1)' :: it is strict
    not-strict :: Section 4, display: 'sigma_suf^2(epsilon) = .. >= sigma^2 (psi(1)
        N_i^*(epsilon))^(-1)' :: it is not strict
slip :: random :: random terms outside every expectation on a right side
    each-run :: Theorem 1: '(sigma_(i,psi)^t)^2', Lemma 1: '||grad R_i(theta_i^t)||^2', both outside
        the expectation :: random terms on the right are taken along each run
    in-mean :: proof of Theorem 1: 'Taking full expectation' :: random terms on the right are meant
        in mean
slip :: excess :: what epsilon_i^t stands for in Lemma 2 and Theorems 2 and 3
    mean-excess :: Section 2: 'epsilon_i^t = E[R_i(theta_i^t) - R_i(theta_i^*)]' :: epsilon_i^t is
        the mean over runs
    realised-excess :: proof of Lemma 1: 'R_i(theta_i^t) - R_i(theta_i^(t-1)) = epsilon_i^t -
        epsilon_i^(t-1)'; proof of Lemma 2: '||grad R_i(theta_i^t)||^2 >= 2 mu epsilon_i^t' ::
        epsilon_i^t is the excess loss of the run
slip :: place :: the model at which N_i^t and sigma_eff^t of Lemma 2 are taken
    before-step :: Section 3: r_ik^t is made of 'grad R_k(theta_i^(t-1))' :: N_i^t and sigma_eff^t
        belong to theta_i^(t-1)
    after-step :: proof of Lemma 2: '||grad R_i(theta_i^t) - grad R_k(theta_i^t)||^2' :: N_i^t and
        sigma_eff^t belong to theta_i^t
monotone :: whether a decreasing function may be constant
    not-increasing :: after Definition 2: 'sigma_suf^2 is decreasing' :: decreasing means not
        increasing
    strictly-falling :: Definition 1 has 'non-decreasing' for the weak sense :: decreasing means
        strictly so
pointless :: in what collaboration is pointless with full gradients
    loss :: Section 1: 'there would be no point in collaborating' :: the loss after a step counts
    bound :: Section 3: 'optimizing the upper bound in Lemma 1' :: the bound of Lemma 1 counts
schedule :: of which step sizes it is said that they do not depend on the precision
    every-step-size :: Section 1: 'convergence guarantees ... that do not depend on the final target
        accuracy epsilon' :: all step sizes of Table 1 are meant
    decreasing-steps :: Section 4, after Corollary 1: 'unlike their approach, which relies on a
        horizon-dependent step-size schedule'; 'our scheme is independent of the final accuracy' ::
        the steps of Corollary 1 are meant
spread :: of what Table S2 gives the standard deviation in its loss columns
    deviation :: Table S2: 'Standard deviation of train and test accuracy/loss' :: the loss entries
        of Table S2 are standard deviations
    logarithm :: Table S2: 'Loss (in log)' :: the loss entries of Table S2 are logarithms of
        standard deviations
prose :: of which models the test accuracies in the text are
    table :: Section 5: 'the final train and test loss/accuracy ... on Table 2' :: the text quotes
        the final models of Table 2
    elsewhere :: Section 5: 'achieves the best generalization performance'; Figure S1 :: the text
        quotes other models than the table
overall :: where the test performance is the best
    on-average :: Section 5: 'Overall, the All-for-one presents the best test performance' :: the
        average over the data sets counts
    everywhere :: Section 5: 'consistently ... across all datasets', of FedAvg :: every data set
        counts
rivals :: among which methods the gap to the train performance is the smaller one
    all-rivals :: Section 5: 'the smaller gap with the train performance' :: all methods are
        compared
    personal-rivals :: Section 5: FedAvg has 'close train and test performances' :: methods of
        personal models that train everywhere are compared
""")
"""Open places of the paper, the literal meaning first: their words, and what they are taken to say."""

NOTATION = r"""
phi \varphi -
threshold \text{threshold}~r -
excess \varepsilon k
variance \sigma_{\mathrm{eff}}^{2} -
factor \kappa -
K K -
bias b k
slope c k
squared_bias b^{2} k
share \text{share} k
precision \varepsilon -
ease \text{factor} -
alpha \alpha k
step_share h -
tradeoff \tau -
other y k
sigma2_one \sigma_{1}^{2} -
squared_gradient G^{2} -
squared_gaps \Delta^{2} k
gradient g kd
weight_matrix \alpha ki
models \theta tkd
server \bar\theta td
"""
"""What the symbols of the programs are called in print, see `verify.report.by_hand.notation`."""

LETTERS = ("R", r"\theta")
"""Of a loss and of a model."""
