"""Philippenko, Le Bars, Scaman, Massoulie: adaptive collaboration (paper key ``adaptive``)."""

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
