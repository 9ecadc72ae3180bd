"""Even, Massoulié, Scaman: all-for-one and all-for-all (paper key ``allforall``).

b_ii, which the paper does not state, is 0 throughout: agent i counts as close to itself.
"""

from verify.claim import open_places

SHEET = """
def.problem def.oracle_sync def.oracle_async def.GEM def.Neps def.Teps def.classD alg.WGA alg.naive
alg.AFA alg.AFAadaptive alg.infinite assump.B1 assump.B2 assump.B3 assump.DH assump.N1 assump.N2
setting1 setting2 assump.bounded assump.triangle theorem1a theorem1b corollary1a corollary1b lemma1
lemma2 def.rho fano eq10 packing eq.rho_abs eq.rho_quad eq.MI eq12 claim.match conj.sqrtkappa
construction.convex construction.quadratic theorem6a theorem6b theorem2.1 theorem7.1 theorem2.2
theorem7.2 ineq.B1fromB2 ineq.B1convex naive.a naive.b lemma3 theorem3a theorem3b theorem4.1
theorem4.2 speedup biasterms prop3 theorem8 def.dH ineq.dHgrad dH.1 dH.2 dH.3 dH.4 dH.loss1 dH.loss2
dH.loss3 dH.loss4 prop1 theorem5a theorem5b prop2.1 prop2.2 weaklabel lemma4a lemma4b lemma4c
lemma5a lemma5b lemma5c lemma6a lemma6b proof.f1 proof.xstar proof.B1conv proof.B2conv proof.dHconv
proof.fanochain proof.B1quad proof.dHquad ineq.wga2 proof.wga_step ineq.wga_rec eq14 proof.wga_b
ineq.gradsplit ineq.biasvar proof.lemma3 proof.E1 ineq.afa2 proof.relsmooth claim.spectral
proof.theorem8 proof.prop2 proof.lemma4_descent proof.lemma4_pl proof.lemma4_sum proof.lemma5
proof.lemma6 expt.a expt.b
"""
AXES = open_places("""
samples :: how a number of samples that need not be whole is met
    at-most :: Theorems 2, 4, 7, 8, Lemma 5: precision for 'a total number T_eps', 'T_eps <=' the bound :: some whole number of samples within the bound is enough
    rounded-up :: Lemmas 4 and 6: T_eps is the bound between ceiling brackets :: the bound is rounded up
slip :: expectation :: displays without an expectation below others that have one
    every-outcome :: Lemmas 4, 5, 6: 'f(1/T sum x^t) - f(x*) <= eps', no E printed; Appendix D.1: 'sum_k F_i^k <= e_i^0/(2 eta) + ...' :: the gap is meant on every outcome of the noise
    in-mean :: Lemma 4: 'Thus, for fixed target precision', after E[f(x^T) - f(x*)]; proof of Lemma 6: 'Taking the mean' :: the expected gap is meant
scale :: which recursion a step size of the synchronous oracle belongs to
    algorithm-step :: Theorem 3: 'generated with Algorithm 1', whose input is the 'step size eta' :: eta is the step of Algorithm 1
    appendix-step :: Appendix E.2: 'we still have y^(k+1) = y^k - eta G', where G carries 1/N :: eta is the step of y, so that Algorithm 1 moves by eta/N
step :: the step size of Theorem 4
    same-step :: Theorem 4: 'Under the same assumptions as in Theorem 3.a', where 'Using step size eta = ...' is one :: the step is that of Theorem 3
    some-step :: Theorem 4 names no step; Algorithm 1: 'Step size eta > 0' :: some constant step is enough
ties :: agents with b_ij = eps/2, counted by N_i(2b) but not weighted by lambda
    stochastic :: eq. 6: 'for some step size eta > 0 and stochastic vector lambda'; Theorem 2: 'Generate (x^k)_k using (6)' :: the weights have sum 1, so that no b_ij is eps/2
    as-set :: Theorem 2: 'set lambda_j = 1{b_ij < eps/2}/N_i(2b)' :: the weights are as printed, whatever their sum
epochs :: T_(2^-q) in the schedule of Proposition 3
    epochs-of-T :: Proposition 3: 'sum T_(2^-q) <= k', 'T_eps <= 16 D^2 B^2/eps^2 ...' :: an epoch has the length of the conclusion
    epochs-of-K :: Proposition 3: 'denote K_eps = 4 D^2 B^2/eps^2 ...' :: an epoch has K_eps rounds
coin :: what xi is in the loss of the convex construction
    vector :: Appendix B.2: a 'probability distribution on {0,1}^d' :: xi_k, one entry of the sample, stands in the k-th term
    drawn-coin :: Appendix B.2: 'xi f_i^+(x) + (1 - xi) f_i^-(x)', xi without an index :: xi is the value of the drawn coordinate and acts on its term alone
quadratic :: the functions of the quadratic construction
    loss :: Appendix B.3: 'l(x, xi) = 1/2 |x - xi|^2' :: f_j is the mean of the loss
    function :: Appendix B.3: 'g_alpha(x) = 1/(2d) sum_k (...)' :: f_j is as g_alpha is printed
match :: what constants are left out where upper and lower bounds are said to match
    of-the-bounds :: after Theorem 2: 'matches that of the lower bound in Theorem 1', '(up to constant factors) exactly match' :: the factors agree up to a constant at the same precision
    of-the-precision :: after Theorem 2: 'up to constant factors', said of N_i(2b) and N_i(b/4), which differ by a factor of b in print :: the factors agree at precisions that differ by a constant
slip :: agents :: the number of agents N under the root of Theorem 6.a
    without-agents :: Theorem 6.a: 'sqrt(2 D^2 B^2/K sum_j lambda_j^2)' :: the root is as displayed
    with-agents :: Appendix D.1: 'E|g_lambda^k(x)|^2 <= sum_j N lambda_j^2 B^2', 'K eta/2 N B^2 sum_j lambda_j^2'; Theorem 2.1: 'N/N_i(2b)' :: N stands under the root
slip :: eta :: the step size before the inner product of Appendix D.1
    eta-missing :: Appendix D.1: 'e_i^(k+1) = e_i^k - 2 E[<...>] + eta^2 E[...]' :: eta is missing, as in the first line
    eta-before :: Appendix D.1: '<= e_i^k - 2 eta E[<...>] + 2 eta E[<...>] + ...' :: eta stands there, as in the second line
slip :: squares :: the place of sum_j lambda_j^2 in the step size of Theorems 2.2, 6.b and 7.2
    beside :: Theorem 6.b: 'ln((F mu^2 K/(L sigma^2)) sum_j lambda_j^2)' :: sum_j lambda_j^2 multiplies the fraction under the logarithm
    below :: Theorem 3.b: 'ln(N F^0 mu^2 K/(L sigma^2 sum_ij lambda_ij^2))'; eq. 14: '<= sigma^2 sum_j lambda_j^2'; Lemma 4: 'ln(f_0 mu^2 T/(L sigma^2))' :: sum_j lambda_j^2 divides the fraction under the logarithm
slip :: exponent :: the exponent of the optimisation term of Theorem 3.b
    without-rounds :: Theorem 3.b: 'F^0 e^(-kappa/(2L))' :: the exponent is kappa/(2 L), which has a unit and no K
    with-rounds :: Theorem 6.b: 'e^(-K/(2 kappa))'; Lemma 4, which Appendix E.2 uses: 'e^(-mu T/(2L))' :: the exponent is K/(2 kappa)
slip :: transpose :: the matrix by which y moves in the proof sketch of Theorem 3
    plain-matrix :: Section 5: 'y^(k+1) = y^k - eta (Lambda G^k(y^k))' :: y moves by Lambda G
    transposed-matrix :: Section 5, four lines above: 'y^(k+1) = y^k - eta Lambda^T grad f(Lambda y^k)'; Appendix E.1: 'G = (lambda_(i_k j) g)_j' :: y moves by Lambda^T G
slip :: toolbox :: what Theorem 8 takes from Lemmas 3 and 5
    as-displayed :: Theorem 8: 'E[F^K] <= 2LD^2/K + sqrt(... + sum_ij lambda_ij b_ij)', 'eta = N^(3/2) D/(sigma sqrt(sum lambda^2)) ^ N/(2L)' :: last iterate, a step without K, the bias under the root and without 1/N
    as-in-lemmas :: Theorem 8, proof: 'Combining Lemma 5'; Lemma 5: 'f(1/T sum x^t)', '|x^0 - x^*|/(sigma sqrt T)'; Lemma 3: '1/N sum_ij lambda_ij b_ij' :: mean over the rounds, sqrt K below the step, the bias of Lemma 3 beside the root
""")
"""Open places of the paper, the literal meaning first: what each option says, and its words."""

NOTATION = r"""
precision \varepsilon -
rows M -
delta \delta k
mass p k
other q k
values v k
distance D -
a a -
b b -
diameter R -
place z d
two z^{\prime} d
three z^{\prime\prime} d
data y k
shift s k
model x d
height h -
centre c d
bias b k
different \text{different} k
error e k
size B -
condition \kappa k
variance \sigma^{2} -
step_share h -
row \lambda k
slope_share s k
offset x^{0} -
extra e k
ratio \rho -
fraction \varphi -
curvature a k
part q -
skew \text{skew} -
share \text{share} k
tilt \tau -
active m -
counted m^{\prime} -
excess F^{0} -
relaxation \omega -
unit u -
packed \text{packed} -
sign \nu k
scale c -
close \text{close} -
p p k
noise r^{2}\sigma^{2} -
fill \text{filling} -
graph \text{edges} -
level \text{level} -
larger L^{\prime} -
agents N -
x x td
start x^{0} d
route \text{route} -
smoothness L -
"""
"""What the symbols of the programs are called in print, see `verify.report.by_hand.notation`."""
