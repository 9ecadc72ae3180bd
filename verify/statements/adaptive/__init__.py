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
random :: random terms outside every expectation on a right side
    each-run :: Theorem 1: '(sigma_(i,psi)^t)^2', Lemma 1: '||grad R_i(theta_i^t)||^2', both outside
        the expectation :: random terms on the right are taken along each run
    in-mean :: proof of Theorem 1: 'Taking full expectation' :: random terms on the right are meant
        in mean
excess :: what epsilon_i^t stands for in Lemma 2 and Theorems 2 and 3
    mean-excess :: Section 2: 'epsilon_i^t = E[R_i(theta_i^t) - R_i(theta_i^*)]' :: epsilon_i^t is
        the mean over runs
    realised-excess :: Lemma 1: 'E[epsilon_i^t | theta_i^(t-1)]'; proof of Lemma 2: '||grad
        R_i(theta_i^t)||^2 >= 2 mu epsilon_i^t' :: epsilon_i^t is the excess loss of the run
place :: the model at which N_i^t and sigma_eff^t of Lemma 2 are taken
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
