"""Sun, Kountouris, Zhang: how to collaborate, HCCT (paper key ``hcct``)."""

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
