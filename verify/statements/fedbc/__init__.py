"""Bedi et al.: FedBC, calibrated consensus (paper key ``fedbc``).

Three places that look open are not axes, because one leaf serves both meanings.  G: (37) defines
it, and (81) asks that it bound the gradients; a second constant of the same letter could only be
smaller.  The domain X of Assumption 4.1: what falls is tried on an X that serves every z and
lambda, the largest that is needed; what stands, on the hull of the models, which every X holds.
z^{-1} in Corollary 4.6: what falls does so with the kindest value of its summand, 1 in bounds and
-1 where brackets are compared.

Where the conditions on Lambda bind is open for Lemma B.1 alone: the proofs of Lemma B.2, of Theorem
4.5 and of (90) come to both conditions, so that both options ask for the same.
"""

from verify.claim import open_places

SHEET = """
def.global def.local def.consensus def.baselines def.problem def.lagrangian grad def.primal
def.oracle oracle.K def.dual def.Lambda def.server alg1 alg2 alg3 heur.gamma
A1 A2 A3 A4 H1 H2 H3 H4 H5
lemmaB1i lemmaB1ii lemmaB2 theorem1 explicit90 theorem1.interp corollary46 corollary46.remark
sp.consensus sp.fedavg sp.fedprox sp.fedpd sp.l2gd sp.ditto sp.novel sp.minimisers abstract
eq26 eq27 eq29 eq31 eq33 eq34 eq35 eq36-37 eq38 eq39-42
eq45-47 eq50-53 eq54-55 eq57 eq58 eq59 eq61 C0 eq62 eq63 eq64-65
eq66-68 eq69-70 eq72 eq73-76 eq77 eq78 eq80-83 eq87-89
eq92 eq93 eq94 eq95-96 eq97 eq99-100
exp.synthetic exp.real fig1 fig2 fig3a fig3b fig3c fig3d fig4 fig5-6 fig7 fig8 fig9-12 fig13
fig14-15 q.fair text table1 table2 table3 table6 table7 table8 table9 table4 table5
"""

AXES = open_places("""
participation :: what devices outside the sampled set do
    A :: Algorithm 1, line 6: 'Parallel loop for each device j in S_t' :: devices outside the sampled set keep model and multiplier
    V :: Appendix B: the gradient of the Lagrangian is bounded 'for each agent i', and (25) has an x_i^{t+1} for it :: every device computes in every round and only the sampled ones are averaged
dual-domain :: from where on the conditions on Lambda bind
    as-met :: Lemma B.1: 'Under Assumption 4.1-4.2' :: a condition on Lambda binds the claims whose own proof has come to it
    derived :: after (11): 'the values of lambda_min and lambda_max will be derived later from the analysis' :: lambda_i^t >= 1 + L_i and lambda_max < (1 + L_i)^2/L_i everywhere
dual-update :: the multipliers that Corollary 4.6 is about
    projected :: Corollary 4.6: 'for the iterates of Algorithm 1' :: the multipliers are those of (11)
    relaxed :: Appendix D: 'a relaxed version (cf. (95)) of the dual update' :: the multipliers are those of (95)
lower-gamma :: what changes with gamma_i where brackets are compared
    runs :: after Corollary 4.6: 'the term inside the big bracket is larger (worse local performance) for lower gamma_i' :: each gamma_i has its own run
    thresholds :: (15): gamma_i stands in the condition of the indicator :: the same distances are compared with another gamma_i
slip :: index-of-f :: which function f without index is in Assumption 4.4
    mean-loss :: Assumption 4.4: 'E[g_i | H_k] = grad f(x_i)', f being the mean loss in (14) :: f is the mean loss
    own-loss :: before Assumption 4.4: 'the stochastic gradient for agent i' :: f is the loss of device i
slip :: constants :: whether a display has the constants of those that it is taken from
    printed :: (28): '2 M_1^2 [.. + epsilon]'; (35): 'epsilon/(2 L)'; (39): 'alpha G^2'; (55): 'divided by lambda_i^t'; (58): 'sqrt(epsilon)/(1 + L_i)'; after (61): 'C_0 := 1 - lambda_max/(4 L)'; (64): 'epsilon S (N-1)'; (69): '8 lambda_max'; (72): 'lambda_max/N'; (77): 'delta^2 S (N-1)' :: every display has the constants that are printed in it
    traced :: (27): '.. + 2 epsilon'; (34): '1/(2 L_i)'; (37): '= alpha G'; (54): '2 lambda_i^t'; (57): '|e_i|/a_i + |e_j|/a_j'; (61): '1 - lambda_max L_i/(1 + L_i)^2'; (63): '2 S (N-1)'; first line of (69): '2 lambda_i^t (x_i^t - z^t)', squared; first line of (72): '2 M_1^2 [..]'; (76): '(M + 2 lambda_max)/N' :: every display has the constants that the displays before it give
slip :: signs :: the signs of (31) to (34) and of (59)
    as-set :: (31) to (34): 'I ='; head of (59): 'a_j grad f_i + a_i grad f_j' :: they are as they are printed
    as-used :: (35): 'I <='; (58) and the lines of (59): 'a_j grad f_i - a_i grad f_j' :: they are those of the displays that use them
slip :: index-of-18 :: whose derivative in z (18) is
    one-client :: (18): the derivative in z of L_i :: it is that of one L_i
    all-clients :: (18): 'sum over i = 1..N' on its right side; (16): the sum of all L_i :: it is that of the sum of all L_i
slip :: mu :: which multiplier makes FedBC FedProx
    whole-mu :: Section 3: 'FedBC algorithm with lambda_i^t = mu for all i and t reduces to FedProx' :: lambda_i^t = mu
    half-mu :: (4): 'f_i(x_i) + (mu/2) |x_i - z|^2' :: lambda_i^t = mu/2
lagrangian :: whether the Lagrangian is a mean or a sum
    mean :: (8): a factor 1/N :: the Lagrangian is the mean (8)
    sum :: (16): no factor 1/N :: the Lagrangian is the sum (16)
best :: where FedBC is the best method
    every-cell :: Section 5: 'FedBC has the best global performance when compared against all baselines' :: every cell of the tables counts
    in-general :: Appendix: 'In general, FedBC has the best global accuracy among all algorithms' :: the means over the tables count
""")
"""Open places of the paper, the literal meaning first."""

NOTATION = r"""
L L k
lambda_max \lambda_{\max} -
lambda_min \lambda_{\min} -
centre m kd
height a k
width l -
S S -
dual_step \alpha -
gamma \gamma k
multipliers \lambda tk
starts x^{0} kd
start z^{0} d
server z td
theta x_{1} td
local_models x ukd
models x tkd
slack \text{slack} -
relaxed \text{relaxed~dual~update} -
more \text{more} k
local_steps K -
alpha \alpha -
margin \text{margin} k
horizon T -
curvature L k
model x kd
multiplier \lambda k
step_share h -
pull \lambda k
chance p -
tradeoff \tau -
"""
"""What the symbols of the programs are called in print, see `verify.report.by_hand.notation`."""
