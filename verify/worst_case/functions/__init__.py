"""Classes of functions: what is known of one at the points where it is met, one class a file.

In come the points, gradients and values that a method met; out come the class's conditions on them.
``pairs`` has what most classes share, the others are named after their class; in each the docstring
says whether its conditions suffice for a function with the data (then a worst case is attained) or
are necessary only (then it is an upper bound).
"""

from verify.worst_case.functions.block_smooth import BlockSmoothConvex
from verify.worst_case.functions.convex import Convex
from verify.worst_case.functions.indicator import Indicator
from verify.worst_case.functions.lipschitz import ConvexLipschitz, SmoothConvexLipschitz
from verify.worst_case.functions.lojasiewicz import SmoothLojasiewicz
from verify.worst_case.functions.own import OwnClass
from verify.worst_case.functions.quadratic import Quadratics
from verify.worst_case.functions.quadratic_growth import ConvexQuadraticGrowth
from verify.worst_case.functions.rsi_eb import SecantErrorBound
from verify.worst_case.functions.smooth import Smooth
from verify.worst_case.functions.smooth_convex import SmoothConvex
from verify.worst_case.functions.smooth_strongly_convex import SmoothStronglyConvex
from verify.worst_case.functions.strongly_convex import StronglyConvex, WeaklyConvex
from verify.worst_case.functions.support import Support

__all__ = [
    "BlockSmoothConvex",
    "Convex",
    "ConvexLipschitz",
    "ConvexQuadraticGrowth",
    "Indicator",
    "OwnClass",
    "Quadratics",
    "SecantErrorBound",
    "Smooth",
    "SmoothConvex",
    "SmoothConvexLipschitz",
    "SmoothLojasiewicz",
    "SmoothStronglyConvex",
    "StronglyConvex",
    "Support",
    "WeaklyConvex",
]
