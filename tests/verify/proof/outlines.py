"""Outlines of textbook theorems: quantities and facts, then the proof."""

from collections.abc import Callable

from verify.proof.outline import Outline

OUTLINES: dict[str, Callable[..., Outline]] = {}


def outline(make):
    OUTLINES[make.__name__] = make
    return make


@outline
def gradient_descent_pl(**options):
    o = Outline("gradient descent on a smooth function with the PL inequality", **options)
    o.indices("t")
    o.numbers("positive", "L", "mu", "eta")
    o.numbers("real", "low")
    o.numbers("nonnegative integer", "T")
    o.vectors("w[t]", known="t")
    o.function("F")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*grad(F, w[t])")
    o.fact("smooth", "smooth", f="F", L="L", at="w[t]", to="w[t + 1]")
    o.fact("PL", "PL", f="F", mu="mu", at="w[t]", low="low")
    o.given("eta <= 1/L", "mu <= L")
    bound = "F(w[T]) - low <= (1 - eta*mu)**T*(F(w[0]) - low)"
    o.claim(bound)

    excess = "F(w[t]) - low"
    o.step(
        "descent",
        f"F(w[t + 1]) - low <= (1 - eta*mu)*({excess})",
        "smooth; PL; eta <= 1/L",
    )
    o.step("factor", "0 <= 1 - eta*mu", "eta <= 1/L; mu <= L")
    contraction = {"of": excess, "factor": "1 - eta*mu", "rest": "0"}
    o.close("rounds", bound, "geometric", step="descent", index="t", rounds="T", **contraction)
    return o


@outline
def sgd_nonconvex(**options):
    o = Outline("stochastic gradient descent on a smooth function", **options)
    o.indices("t")
    o.numbers("positive", "L", "eta")
    o.numbers("nonnegative", "sigma")
    o.numbers("real", "low")
    o.numbers("positive integer", "T")
    o.vectors("w[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.function("F")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*(grad(F, w[t]) + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("smooth", "smooth", f="F", L="L", at="w[t]", to="w[t + 1]")
    o.fact("below", "bounded below", f="F", low="low", at="w[T]")
    o.given("eta <= 1/L")
    mean = "Sum(grad(F, w[t])**2, (t, 0, T - 1))/T"
    bound = f"{mean} <= 2*(F(w[0]) - low)/(eta*T) + L*eta*sigma**2"
    o.claim(bound)

    o.step(
        "descent",
        "eta/2*grad(F, w[t])**2 + F(w[t + 1]) <= F(w[t]) + L*eta**2*sigma**2/2",
        "smooth; variance; eta <= 1/L",
    )
    o.close(
        "sum",
        "eta/2*Sum(grad(F, w[t])**2, (t, 0, T - 1)) + F(w[T]) "
        "<= F(w[0]) + T*L*eta**2*sigma**2/2",
        "telescoped",
        step="descent",
        index="t",
        rounds="T",
        of="F(w[t])",
    )
    o.step("mean", bound, "sum; below")
    return o


@outline
def sgd_decreasing_step(**options):
    o = Outline("stochastic gradient descent with steps b/(t + s)", **options)
    o.indices("t")
    o.numbers("positive", "L", "mu", "b", "s", "eta[t]")
    o.numbers("nonnegative", "sigma")
    o.numbers("nonnegative integer", "T")
    o.vectors("w[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.vectors("star", known="0")
    o.function("F")
    o.fact("step", "definition", entry="eta[t]", is_="b/(t + s)")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta[t]*(grad(F, w[t]) + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("strong", "strongly convex", f="F", mu="mu", at="w[t]", to="star")
    o.fact("smooth", "smooth above its infimum", f="F", L="L", at="w[t]", low="F(star)")
    o.fact("stationary", "minimiser", f="F", star="star", at="w[t]")
    o.given("L*b <= s", "mu <= L", "1 < mu*b")
    v = "(b**2*sigma**2/(mu*b - 1) + s*(w[0] - star)**2)"
    bound = f"(w[T] - star)**2 <= {v}/(T + s)"
    o.claim(bound)

    o.step("small steps", "eta[t] <= 1/L", "L*b <= s")
    o.step(
        "one step",
        "(w[t + 1] - star)**2 <= (1 - mu*b/(t + s))*(w[t] - star)**2 + b**2*sigma**2/(t + s)**2",
        "small steps; strong; smooth; stationary; variance",
    )
    o.step("shift", "mu*b <= s", "L*b <= s; mu <= L")
    o.step("start", f"s*(w[0] - star)**2 <= {v}", "1 < mu*b")
    o.step("constant", f"0 <= {v}", "1 < mu*b")
    o.step("room", f"b**2*sigma**2 <= {v}*(mu*b - 1)", "1 < mu*b")
    o.close(
        "rounds",
        bound,
        "1/(t + shift)",
        step="one step",
        index="t",
        rounds="T",
        of="(w[t] - star)**2",
        p="mu*b",
        q="b**2*sigma**2",
        shift="s",
        v=v,
    )
    return o


@outline
def fedavg_identical_clients(**options):
    o = Outline("one round of FedAvg on identical clients", **options)
    o.indices("j")
    o.numbers("positive", "L", "mu", "eta")
    o.numbers("nonnegative", "sigma")
    o.numbers("nonnegative integer", "K")
    o.vectors("w[j]", known="j", shared=False)
    o.vectors("n[j]", known="j + 1", shared=False)
    o.vectors("start", "star", known="0")
    o.function("F")
    o.fact("sent", "method", entry="w[0]", is_="start")
    o.fact("rule", "method", entry="w[j + 1]", is_="w[j] - eta*(grad(F, w[j]) + n[j])")
    o.fact("unbiased", "unbiased", noise="n[j]", given="j")
    o.fact("variance", "variance", noise="n[j]", sigma2="sigma**2")
    o.fact("strong", "strongly convex", f="F", mu="mu", at="w[j]", to="star")
    o.fact("smooth", "smooth above its infimum", f="F", L="L", at="w[j]", low="F(star)")
    o.fact("minimiser", "minimiser", f="F", star="star", at="w[j]")
    o.given("eta <= 1/L", "mu <= L", "eta*mu < 1")
    power = "(1 - eta*mu)**K"
    rest = f"eta**2*sigma**2*(1 - {power})/(eta*mu)"
    o.claim(f"(avg(w[K]) - star)**2 <= {power}*(start - star)**2 + {rest}")

    o.step(
        "local step",
        "(w[j + 1] - star)**2 <= (1 - eta*mu)*(w[j] - star)**2 + eta**2*sigma**2",
        "strong; smooth; minimiser; variance; eta <= 1/L",
    )
    o.close(
        "local steps",
        f"(w[K] - star)**2 <= {power}*(start - star)**2 + {rest}",
        "geometric",
        step="local step",
        index="j",
        rounds="K",
        of="(w[j] - star)**2",
        factor="1 - eta*mu",
        rest="eta**2*sigma**2",
    )
    o.step(
        "average",
        f"(avg(w[K]) - star)**2 <= {power}*(start - star)**2 + {rest}",
        "local steps",
    )
    return o


@outline
def groups_that_stay(**options):
    o = Outline("groups of clients that never change, members together", **options)
    o.indices("t")
    o.numbers("positive", "L", "eta[t]")
    o.numbers("nonnegative", "sigma", "K[t]")
    o.numbers("positive integer", "T", "N")
    o.clients("N")
    o.vectors("w[t]", "h[t]", "c[t]", known="t", shared=False)
    o.vectors("n[t]", known="t + 1", shared=False)
    o.function("J", own=True)
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta[t]*(h[t] + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("noise", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("smooth", "smooth", f="J", L="L", at="w[t]", to="w[t + 1]")
    o.fact("similar", "close", one="c[t]", other="h[t]", at_most="K[t]/N")
    o.fact("together", "close", one="grad(J, w[t])", other="c[t]", at_most="0")
    o.fact("below", "bounded below", f="J", low="0", at="w[T]")
    o.given("eta[t] <= 1/L")
    xi = "Sum(eta[t], (t, 0, T - 1))"
    left = "Sum(eta[t]*N*grad(J, w[t])**2, (t, 0, T - 1))"
    rest = "2*Sum(eta[t]*K[t], (t, 0, T - 1)) + L*N*sigma**2*Sum(eta[t]**2, (t, 0, T - 1))"
    bound = f"{left}/{xi} <= (2*N*J(w[0]) + {rest})/{xi}"
    o.claim(bound)

    o.step("own against group", "(grad(J, w[t]) - h[t])**2 <= 2*K[t]/N", "similar; together", roots="grad(J, w[t]) - 2*c[t] + h[t]")
    o.step("short", "L*eta[t]**2*h[t]**2 <= eta[t]*h[t]**2", "eta[t] <= 1/L times L*eta[t]", roots="h[t]")
    o.step(
        "one epoch",
        "eta[t]*N*grad(J, w[t])**2 + 2*N*J(w[t + 1]) "
        "<= 2*N*J(w[t]) + 2*eta[t]*K[t] + L*N*eta[t]**2*sigma**2",
        "own against group times N*eta[t]; smooth times 2*N; noise times N*L*eta[t]**2; short times N",
    )
    o.close(
        "all epochs",
        f"{left} + 2*N*J(w[T]) <= 2*N*J(w[0]) + {rest}",
        "telescoped",
        step="one epoch",
        index="t",
        rounds="T",
        of="2*N*J(w[t])",
    )
    o.step("mean", bound, "all epochs; below")
    return o


@outline
def scaffold_one_round(**options):
    o = Outline("a round of SCAFFOLD with one local step, S of N clients drawn", **options)
    o.indices("t")
    o.numbers("positive", "L", "eta")
    o.numbers("nonnegative", "sigma")
    o.numbers("positive integer", "S", "N")
    o.clients("N")
    o.vectors("x[t]", known="t")
    o.vectors("star", known="0")
    o.vectors("c[t]", known="t", shared=False)
    o.vectors("n[t]", known="t + 1/2", shared=False)
    o.draws("D[t]", given="t + 1/2", known="t + 1")
    o.function("f", own=True)
    o.function("F", mean_of="f")
    told = "grad(f, x[t]) + n[t]"
    o.fact("rule", "method", entry="x[t + 1]", is_=f"x[t] - eta*drawn(D[t], {told} - c[t] + avg(c[t]))")
    o.given("1 < N", "S <= N", "10*L*eta <= 1")
    o.fact("draw", "drawn without replacement", draw="D[t]", size="S", clients="N")
    o.fact(
        "controls", "taking part",
        draw="D[t]", share="S/N", after="c[t + 1]", then=told, else_="c[t]", to="grad(f, star)",
    )
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("independent", "independent clients", noise="n[t]", clients="N")
    o.fact("optimum", "stationary", f="F", star="star")
    o.fact("convex", "convex", f="f", at="x[t]", to="star")
    o.fact("smooth", "convex and smooth", f="f", L="L", at="star", to="x[t]")
    before = "(x[t] - star)**2 + 2*N*eta**2/S**2*(c[t] - grad(f, star))**2"
    after = "(x[t + 1] - star)**2 + 2*N*eta**2/S**2*(c[t + 1] - grad(f, star))**2"
    gain = "eta*(F(x[t]) - F(star))"
    o.claim(f"{after} <= {before} - {gain} + 3*eta**2*sigma**2/S")

    o.step("share", "(N - S)/(S*(N - 1)) <= 1/S", "1 < N; S <= N")
    o.step("slopes", "(grad(f, x[t]) - grad(f, star))**2 <= 2*L*(F(x[t]) - F(star))", "smooth")
    apart = "(grad(f, x[t]) - c[t] - avg(grad(f, x[t]) - c[t]))**2"
    o.step(
        "apart",
        f"{apart} <= 2*(grad(f, x[t]) - grad(f, star))**2 + 2*(c[t] - grad(f, star))**2",
    )
    o.step("of one draw", f"(N - S)/(S*(N - 1))*{apart} <= {apart}/S", "share", roots="grad(f, x[t]) - c[t]")
    o.step("mean slope", "avg(grad(f, x[t]))**2 <= (grad(f, x[t]) - grad(f, star))**2", roots="grad(f, x[t]) - grad(f, star)")
    o.step(
        "variance of the noise",
        "avg(n[t])**2 + (N - S)/(S*(N - 1))*(n[t] - avg(n[t]))**2 <= sigma**2/S",
        "variance; independent; 1 < N; S <= N",
    )
    told = f"drawn(D[t], {told} - c[t] + avg(c[t]))"
    o.step("one draw", f"{told}**2 <= avg(grad(f, x[t]))**2 + {apart}/S + sigma**2/S",
           "of one draw; variance of the noise")
    o.step("spread", f"{told}**2 <= (1 + 2/S)*(grad(f, x[t]) - grad(f, star))**2 + 2/S*(c[t] - grad(f, star))**2 + sigma**2/S",
           "one draw; mean slope; apart times 1/S")
    o.step(
        "server",
        "(x[t + 1] - star)**2 <= (x[t] - star)**2 - 2*eta*(F(x[t]) - F(star)) "
        "+ eta**2*((1 + 2/S)*(grad(f, x[t]) - grad(f, star))**2 "
        "+ 2/S*(c[t] - grad(f, star))**2 + sigma**2/S)",
        "spread times eta**2; convex times 2*eta",
    )
    o.step("few", "(1 + 4/S)*(grad(f, x[t]) - grad(f, star))**2 <= 5*(grad(f, x[t]) - grad(f, star))**2",
           roots="grad(f, x[t]) - grad(f, star)")
    o.step("excess", "0 <= F(x[t]) - F(star)", "slopes", roots="grad(f, x[t]) - grad(f, star)")
    o.step("gain", f"10*L*eta**2*(F(x[t]) - F(star)) <= {gain}", "excess; 10*L*eta <= 1")
    o.step("together", f"{after} <= {before} - {gain} + 3*eta**2*sigma**2/S",
           "server; controls times 2*N*eta**2/S**2; variance times 2*eta**2/S; few times eta**2;"
           "slopes times 5*eta**2; gain")
    return o
