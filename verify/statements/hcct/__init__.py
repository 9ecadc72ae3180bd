"""Sun, Kountouris, Zhang: how to collaborate, HCCT (paper key ``hcct``)."""

from verify.claim import open_places

SHEET = """
def.clients def.risk def.same def.grouprisk def.local def.update def.agg def.J def.a def.d1
def.lambda def.sim def.utility def.P1 def.groupU def.benefit def.argmax def.stop def.layer
alg1 alg2 alg.fig2 alg.hccte alg.hcctp alg.newclient
assT1 assLab assRisk ass1 ass2 ass3
theorem1 remark1
claim.gradproxy claim.utilimprove claim.beta claim.bell claim.nphard claim.kmeans
claim.stepincrease claim.autoK claim.degInd claim.degGlob claim.complexity claim.servercost
claim.hccteUse claim.hcctpUse
lemma1 theorem2 corollary1 claim.convEffect
thm1.chain eq34 eq35 eq28 eq38 eq39 eq40 eq41
exp.fig1 exp.table2 exp.setup exp.table3 exp.table4 exp.table5 exp.fig3 exp.fig4 exp.fig5 exp.fig6
exp.abstract exp.baselines
"""

AXES = open_places("""
domain :: where the models lie
    whole-space :: Equations 1 and 3: 'w in R^M' :: models fill R^M
    bounded :: Theorem 1: 'mu-strong convexity and L-Lipschitz continuity', of a domain that is not named :: models lie in some bounded domain
risk :: what the risks of Theorem 1 are
    loss :: Equations 1 and 3: 'E[l(h(x; w), y)]' :: risks are expected losses
    error :: Equation 35: 'epsilon_G(h) = E[|h_i(x) - f_G(x)|]' :: risks are mean absolute errors
divergence :: what d_1 is
    integral :: Equation 33, step d: the integral of |P_G - P_i| :: d_1 is the L1 distance of the laws of x
    h-divergence :: Theorem 1: 'distribution divergence (e.g., H-divergence)' :: d_1 is the divergence of thresholds, an H-divergence
models :: what w_i^t is when members of a group meet
    algorithm :: Algorithm 1, line 16: the group starts from sum_i (D_i/D) w_i^t :: members are averaged when they meet
    own-models :: Equation 39: w_i^t = w^0 - sum_s eta^s sum_z a_z^s g_z^s :: each client keeps its own model and takes the group's gradient
slip :: index :: the free index j in Equations 38 to 40
    fixed-j :: Equation 38: 'grad J_i(w_j^t)' outside of the sum over j :: j is one fixed member of the group
    summed-j :: Equation 38, step d: kappa_ij under 'sum_j a_j' :: j is bound by the sum over the group
slip :: epoch :: the epochs on the left sides of Equations 39 and 40
    misplaced :: Equation 39: 'grad J_i(w_i^(t+1)) - grad J_i(w_j^t)'; Equation 40: the difference of
        'J_i(w_i^t)' and 'J_i(w_i^t)' :: (39) is about w_i^(t+1), and the left side of (40) is zero
    in-place :: before Equation 39: 'the third term in the RHS of (38)', which has w_i^t; before
        Equation 40: 'into the RHS of (36)', whose left side has J_i(w_i^(t+1)) :: (39) is about
        w_i^t, and (40) about J_i(w_i^(t+1)) less J_i(w_i^t)
slip :: last-sum :: whether xi_T divides the last sum of Equation 26
    undivided :: Theorem 2: no 1/xi_T before 'sum_t 4 eta^t L^2 N sum_s (eta^s)^2 sigma^2' :: the
        last sum is not divided
    divided :: end of Appendix C: 'By dividing both sides of (41) over sum_t eta^t/2'; Equation 44:
        S_4/xi_T :: the last sum is divided by xi_T
stopping :: when the partition asks whether to stop
    after-merge :: Algorithm 2: 'evaluate the stopping criterion' after the merge :: a merge is made before the criterion is asked
    before-merge :: Figure 2: 'we stop partitioning since there is no benefit' :: the criterion is asked before a merge
benefits :: which benefits are computed anew after a merge
    kept :: Algorithm 2: 'if B(k_1, k_2) is not recorded' :: what is recorded for two indices is kept
    renewed :: Section 5.1: 'compute the benefits if it is merged with this new group' :: benefits of the new group are computed
group-count :: whether k-means is given K
    free-K :: Equation 11: K 'is not a predetermined value' :: K is free in both problems
    given-K :: Section 4.2: k-means 'partitions N clients into K groups' :: K is given in both problems
counted :: what is computed N (N - 1)/2 times in the first step
    cosines :: Section 5.1: 'gradient similarity between two clients' :: cosines are counted, two for a pair
    pairs :: Section 5.1: one similarity 'between two clients' :: pairs of clients are counted
uploads :: which updates the partition sees
    previous :: Algorithm 1, line 6: before the training of the epoch :: they are those sent in the epoch before
    current :: Algorithm 1, line 6: 'g_i^t', of the epoch that begins :: they are computed at the models of the epoch
test-error :: what decreases in Remark 1
    measured :: Remark 1: 'The test error of client i decreases' :: the error itself is meant
    promised :: Remark 1, on the right side of (7) :: the bound is meant
comparison :: when a mean of five seeds is larger than another
    means :: Tables 2 and 4: best values are bold :: the printed means are compared
    within-spread :: Section 7.1: 'five random seeds'; Tables 2 and 4 print +- :: means count as equal within their spreads
""")
"""Open places of the paper, the literal meaning first."""

NOTATION = r"""
example \text{example} -
gradient g kd
size D k
tradeoff \tau -
stretch \text{stretch} -
mass m k
other m^{\prime} k
first \text{first} -
step s -
model h k
Q Q -
curvature L -
gap \text{gap} k
similarity \kappa^{2} ki
kappa2 \kappa^{2} tki
variance \sigma^{2} -
optimum w^{\star} k
start w^{0} k
step_share h -
slack \text{slack} -
part q -
own f k
group g k
seen \text{seen} -
tilt \tau -
radius r -
convexity \mu -
level \delta -
offset \text{offset} -
share \text{share} k
data x k
row \text{row} -
client i -
bend L k
schedule \text{groups~by~epoch} -
local_steps Q -
near \text{near} -
far \text{far} -
others \text{others} -
chance p -
slope s_{1} -
slope2 s_{2} -
later w^{\prime} k
sigma \sigma -
dissimilarity \kappa^{2} tki
smoothness L -
"""
"""What the symbols of the programs are called in print, see `verify.report.by_hand.notation`."""
