"""Bedi et al.: FedBC, calibrated consensus (paper key ``fedbc``)."""

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
