"""draft"""
from verify.worst_case.functions import *
from verify.worst_case.operators import *
from verify.worst_case.problem import Problem
from verify.worst_case.points import Point
from verify.worst_case.steps import *
from verify.worst_case.solution import *
