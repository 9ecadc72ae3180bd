"""draft"""
from verify.worst_case.functions import *
from verify.worst_case.operators import *
from verify.worst_case.problem import Problem
