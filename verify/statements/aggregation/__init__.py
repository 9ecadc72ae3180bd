"""Ben Mansour, Carenini, Duplessis: aggregation under heterogeneity (paper key ``aggregation``)."""

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
