"""Outlines of textbook theorems: quantities and facts, then the proof."""

from collections.abc import Callable

from verify.proof.outline import Outline

OUTLINES: dict[str, Callable[..., Outline]] = {}


def outline(make):
    OUTLINES[make.__name__] = make
    return make


@outline
def gradient_descent_pl():
    o = Outline("gradient descent on a smooth function with the PL inequality")
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
def sgd_nonconvex():
    o = Outline("stochastic gradient descent on a smooth function")
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
        "eta/2*Sum(grad(F, w[t])**2, (t, 0, T - 1)) + F(w[T]) <= F(w[0]) + T*L*eta**2*sigma**2/2",
        "telescoped",
        step="descent",
        index="t",
        rounds="T",
        of="F(w[t])",
    )
    o.step("mean", bound, "sum; below")
    return o


@outline
def sgd_decreasing_step():
    o = Outline("stochastic gradient descent with steps b/(t + s)")
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
    o.given("L*b <= s", "mu <= L", "1 < mu*b")
    v = "(b**2*sigma**2/(mu*b - 1) + s*(w[0] - star)**2)"
    bound = f"(w[T] - star)**2 <= {v}/(T + s)"
    o.claim(bound)

    o.step("small steps", "eta[t] <= 1/L", "L*b <= s")
    o.step(
        "one step",
        "(w[t + 1] - star)**2 <= (1 - mu*b/(t + s))*(w[t] - star)**2 + b**2*sigma**2/(t + s)**2",
        "small steps; strong; smooth; variance",
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
def fedavg_identical_clients():
    o = Outline("one round of FedAvg on identical clients")
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
    o.given("eta <= 1/L", "eta*mu < 1")
    power = "(1 - eta*mu)**K"
    rest = f"eta**2*sigma**2*(1 - {power})/(eta*mu)"
    o.claim(f"(avg(w[K]) - star)**2 <= {power}*(start - star)**2 + {rest}")

    o.step(
        "local step",
        "(w[j + 1] - star)**2 <= (1 - eta*mu)*(w[j] - star)**2 + eta**2*sigma**2",
        "strong; smooth; variance; eta <= 1/L",
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
def groups_that_stay():
    o = Outline("groups of clients that never change, members together")
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

    o.step(
        "own against group",
        "(grad(J, w[t]) - h[t])**2 <= 2*K[t]/N",
        "similar; together",
        roots="grad(J, w[t]) - 2*c[t] + h[t]",
    )
    o.step(
        "short",
        "L*eta[t]**2*h[t]**2 <= eta[t]*h[t]**2",
        "eta[t] <= 1/L times L*eta[t]",
        roots="h[t]",
    )
    o.step(
        "one epoch",
        "eta[t]*N*grad(J, w[t])**2 + 2*N*J(w[t + 1]) "
        "<= 2*N*J(w[t]) + 2*eta[t]*K[t] + L*N*eta[t]**2*sigma**2",
        "own against group times N*eta[t]; smooth times 2*N; noise times N*L*eta[t]**2;"
        "short times N",
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
def scaffold_one_round():
    o = Outline("a round of SCAFFOLD with one local step, S of N clients drawn")
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
    o.fact(
        "rule", "method", entry="x[t + 1]", is_=f"x[t] - eta*drawn(D[t], {told} - c[t] + avg(c[t]))"
    )
    o.given("1 < N", "10*L*eta <= 1")
    o.fact("draw", "drawn without replacement", draw="D[t]", size="S", clients="N")
    o.fact(
        "controls",
        "taking part",
        draw="D[t]",
        share="S/N",
        after="c[t + 1]",
        then=told,
        else_="c[t]",
        to="grad(f, star)",
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

    o.step("share", "(N - S)/(S*(N - 1)) <= 1/S", "1 < N")
    o.step("slopes", "(grad(f, x[t]) - grad(f, star))**2 <= 2*L*(F(x[t]) - F(star))", "smooth")
    apart = "(grad(f, x[t]) - c[t] - avg(grad(f, x[t]) - c[t]))**2"
    o.step(
        "apart",
        f"{apart} <= 2*(grad(f, x[t]) - grad(f, star))**2 + 2*(c[t] - grad(f, star))**2",
    )
    o.step(
        "of one draw",
        f"(N - S)/(S*(N - 1))*{apart} <= {apart}/S",
        "share",
        roots="grad(f, x[t]) - c[t]",
    )
    o.step(
        "mean slope",
        "avg(grad(f, x[t]))**2 <= (grad(f, x[t]) - grad(f, star))**2",
        roots="grad(f, x[t]) - grad(f, star)",
    )
    o.step(
        "variance of the noise",
        "avg(n[t])**2 + (N - S)/(S*(N - 1))*(n[t] - avg(n[t]))**2 <= sigma**2/S",
        "variance; independent; 1 < N",
    )
    told = f"drawn(D[t], {told} - c[t] + avg(c[t]))"
    o.step(
        "one draw",
        f"{told}**2 <= avg(grad(f, x[t]))**2 + {apart}/S + sigma**2/S",
        "of one draw; variance of the noise",
    )
    o.step(
        "spread",
        f"{told}**2 <= (1 + 2/S)*(grad(f, x[t]) - grad(f, star))**2 "
        "+ 2/S*(c[t] - grad(f, star))**2 + sigma**2/S",
        "one draw; mean slope; apart times 1/S",
    )
    o.step(
        "server",
        "(x[t + 1] - star)**2 <= (x[t] - star)**2 - 2*eta*(F(x[t]) - F(star)) "
        "+ eta**2*((1 + 2/S)*(grad(f, x[t]) - grad(f, star))**2 "
        "+ 2/S*(c[t] - grad(f, star))**2 + sigma**2/S)",
        "spread times eta**2; convex times 2*eta",
    )
    o.step(
        "few",
        "(1 + 4/S)*(grad(f, x[t]) - grad(f, star))**2 <= 5*(grad(f, x[t]) - grad(f, star))**2",
        roots="grad(f, x[t]) - grad(f, star)",
    )
    o.step("excess", "0 <= F(x[t]) - F(star)", "slopes", roots="grad(f, x[t]) - grad(f, star)")
    o.step("gain", f"10*L*eta**2*(F(x[t]) - F(star)) <= {gain}", "excess; 10*L*eta <= 1")
    o.step(
        "together",
        f"{after} <= {before} - {gain} + 3*eta**2*sigma**2/S",
        "server; controls times 2*N*eta**2/S**2; variance times 2*eta**2/S; few times eta**2;"
        "slopes times 5*eta**2; gain",
    )
    return o


@outline
def local_sgd_identical_clients():
    o = Outline("local stochastic gradient descent on identical clients, averaged iterate")
    o.indices("r", "j")
    o.numbers("positive", "L", "eta")
    o.numbers("nonnegative", "sigma")
    o.numbers("positive integer", "R", "H", "N")
    o.clients("N")
    o.vectors("x[r]", known="r*H")
    o.vectors("star", known="0")
    o.vectors("y[r]", "z")
    o.vectors("w[r, j]", known="r*H + j", shared=False)
    o.vectors("n[r, j]", known="r*H + j + 1", shared=False)
    o.function("F")
    now, mid = "w[r, j]", "avg(w[r, j])"
    o.fact("sent", "method", entry="w[r, 0]", is_="x[r]")
    o.fact("rule", "method", entry="w[r, j + 1]", is_=f"{now} - eta*(grad(F, {now}) + n[r, j])")
    o.fact("server", "method", entry="x[r + 1]", is_="avg(w[r, H])")
    o.fact("unbiased", "unbiased", noise="n[r, j]", given="r*H + j")
    o.fact("variance", "variance", noise="n[r, j]", sigma2="sigma**2")
    o.fact("independent", "independent clients", noise="n[r, j]", clients="N")
    o.fact("optimum", "stationary", f="F", star="star")
    o.fact("to star", "convex and smooth", f="F", L="L", at=now, to="star")
    o.fact("to mean", "convex and smooth", f="F", L="L", at=now, to=mid)
    o.fact("from mean", "convex and smooth", f="F", L="L", at=mid, to=now)
    o.fact("smooth", "smooth", f="F", L="L", at=now, to=mid)
    o.fact("convex", "convex", f="F", at=now, to="star")
    o.fact("y", "average", called="y[r]", of=mid, weight="1", index="j", rounds="H")
    o.fact("z", "average", called="z", of="y[r]", weight="1", index="r", rounds="R")
    o.given("eta <= 1/L")
    rest = "(eta*sigma**2/(2*N) + eta**2*L*sigma**2*(H - 1)/4)"
    bound = f"F(z) - F(star) <= (x[0] - star)**2/(2*eta*R*H) + {rest}"
    o.claim(bound)

    spread, slope, off = (
        f"({now} - {mid})**2",
        f"(grad(F, {now}) - grad(F, {mid}))**2",
        f"grad(F, {now})",
    )
    o.step("slopes", f"({off} - avg({off}))**2 <= {slope}", roots=f"{off} - grad(F, {mid})")
    o.step(
        "few",
        f"eta**2*{slope} <= 2*eta/L*{slope}",
        "eta <= 1/L times eta",
        roots=f"{off} - grad(F, {mid})",
    )
    o.step("noise", "(n[r, j] - avg(n[r, j]))**2 <= sigma**2", "variance", roots="n[r, j]")
    after = "(w[r, j + 1] - avg(w[r, j + 1]))**2"
    o.step(
        "drift",
        f"{after} <= {spread} + eta**2*sigma**2",
        "slopes times eta**2; few; noise times eta**2; to mean times 2*eta; from mean times 2*eta",
    )
    o.step(
        "drift goes on",
        f"{after} <= (j + 1)*eta**2*sigma**2",
        "drift",
        supposing=f"{spread} <= j*eta**2*sigma**2",
    )
    o.close(
        "drift so far",
        f"{spread} <= j*eta**2*sigma**2",
        "induction",
        claim=f"j*eta**2*sigma**2 - {spread}",
        index="j",
        next="drift goes on",
    )
    o.step("shorter", f"avg({off})**2 <= {off}**2", roots=off)
    o.step("short", f"eta**2*{off}**2 <= eta/L*{off}**2", "eta <= 1/L times eta", roots=off)
    gap = f"F({mid}) - F(star)"
    o.step(
        "progress",
        f"(avg(w[r, j + 1]) - star)**2 + 2*eta*({gap}) "
        f"<= ({mid} - star)**2 + eta**2*sigma**2/N + eta**3*L*sigma**2*j",
        "to star times 2*eta; smooth times 2*eta; drift so far times eta*L; shorter times eta**2;"
        "short; variance times eta**2/N; independent times -eta**2",
    )
    total = f"Sum({gap}, (j, 0, H - 1))"
    o.close(
        "round",
        f"(x[r + 1] - star)**2 + 2*eta*{total} <= (x[r] - star)**2 + H*eta**2*sigma**2/N "
        "+ eta**3*L*sigma**2*H*(H - 1)/2",
        "telescoped",
        step="progress",
        index="j",
        rounds="H",
        of=f"({mid} - star)**2",
    )
    o.close(
        "mean of a round",
        f"H*F(y[r]) <= Sum(F({mid}), (j, 0, H - 1))",
        "averaged",
        f="F",
        called="y[r]",
        of=mid,
        weight="1",
        index="j",
        rounds="H",
    )
    o.step(
        "round on average",
        "(x[r + 1] - star)**2 + 2*eta*H*(F(y[r]) - F(star)) <= (x[r] - star)**2 "
        "+ H*eta**2*sigma**2/N + eta**3*L*sigma**2*H*(H - 1)/2",
        "round; mean of a round times 2*eta",
    )
    o.close(
        "rounds",
        "(x[R] - star)**2 + 2*eta*H*Sum(F(y[r]) - F(star), (r, 0, R - 1)) <= (x[0] - star)**2 "
        "+ R*(H*eta**2*sigma**2/N + eta**3*L*sigma**2*H*(H - 1)/2)",
        "telescoped",
        step="round on average",
        index="r",
        rounds="R",
        of="(x[r] - star)**2",
    )
    o.close(
        "mean of rounds",
        "R*F(z) <= Sum(F(y[r]), (r, 0, R - 1))",
        "averaged",
        f="F",
        called="z",
        of="y[r]",
        weight="1",
        index="r",
        rounds="R",
    )
    o.step("last", "0 <= (x[R] - star)**2", roots="x[R] - star")
    o.step(
        "all",
        bound,
        "rounds times 1/(2*eta*R*H); mean of rounds times 1/R; last times 1/(2*eta*R*H)",
    )
    return o


@outline
def fedprox_inexact():
    o = Outline("a round of FedProx with inexact local solutions")
    o.numbers("positive", "L", "mu")
    o.numbers("nonnegative", "theta", "B")
    o.vectors("x", known="0")
    o.vectors("p", known="1", shared=False)
    o.function("f", own=True)
    o.function("F", mean_of="f")
    o.fact("inexact", "inexact proximal step", f="f", mu="mu", theta="theta", at="p", around="x")
    o.fact("from p", "convex", f="f", at="p", to="x")
    o.fact("from x", "convex", f="f", at="x", to="p")
    o.fact("gradients", "smooth gradients", f="f", L="L", at="p", to="x")
    o.fact("smooth", "smooth", f="F", L="L", at="x", to="avg(p)")
    o.fact("dissimilar", "no longer", one="grad(f, x)", other="grad(F, x)", factor="B**2")
    far = "2*(1 + theta**2)*B**2/mu**2"
    left = f"theta**2*B**2/mu + (L**2/mu + L/2)*{far}"
    o.claim(f"F(avg(p)) <= F(x) - (1/(2*mu) - ({left}))*grad(F, x)**2")

    e = "(grad(f, p) + mu*(p - x))"
    o.step("monotone", "0 <= (grad(f, p) - grad(f, x))*(p - x)", "from p; from x")
    o.step(
        "moved",
        f"mu**2*(p - x)**2 <= ({e} - grad(f, x))**2",
        "monotone times 2*mu",
        roots="grad(f, p) - grad(f, x)",
    )
    o.step(
        "residual",
        f"({e} - grad(f, x))**2 <= 2*{e}**2 + 2*grad(f, x)**2",
        roots=f"{e} + grad(f, x)",
    )
    o.step(
        "no further",
        f"(p - x)**2 <= {far}*grad(F, x)**2",
        "moved times 1/mu**2; residual times 1/mu**2; inexact times 2/mu**2;"
        "dissimilar times 2*(1 + theta**2)/mu**2",
    )
    o.step("mean", "(avg(p) - x)**2 <= (p - x)**2", roots="p - x")
    o.step(
        "product",
        f"2*mu*grad(F, x)*(avg(p) - x) <= -grad(F, x)**2 + avg({e} - grad(f, p) + grad(f, x))**2",
        roots="grad(F, x) + mu*(avg(p) - x)",
    )
    o.step(
        "off",
        f"avg({e} - grad(f, p) + grad(f, x))**2 <= 2*{e}**2 + 2*(grad(f, p) - grad(f, x))**2",
        roots=f"{e} - grad(f, p) + grad(f, x); {e} + grad(f, p) - grad(f, x)",
    )
    o.step(
        "round",
        f"F(avg(p)) <= F(x) - (1/(2*mu) - ({left}))*grad(F, x)**2",
        "smooth; product times 1/(2*mu); off times 1/(2*mu); mean times L/2; gradients times 1/mu;"
        "inexact times 1/mu; dissimilar times theta**2/mu; no further times L**2/mu + L/2",
    )
    return o


@outline
def gradient_tracking():
    o = Outline("gradient tracking over a mixing matrix")
    o.indices("t")
    o.numbers("positive", "L", "eta", "rho")
    o.numbers("positive integer", "T")
    o.numbers("real", "low")
    o.vectors("x[t]", "y[t]", known="t", shared=False)
    o.function("f", own=True)
    o.function("F", mean_of="f")
    o.mixings("W")
    o.fact("start", "method", entry="y[0]", is_="grad(f, x[0])")
    o.fact("models", "method", entry="x[t + 1]", is_="mix(W, x[t] - eta*y[t])")
    o.fact(
        "tracks", "method", entry="y[t + 1]", is_="mix(W, y[t]) + grad(f, x[t + 1]) - grad(f, x[t])"
    )
    o.fact("mixing", "mixing", mixing="W", rho="rho", of="x[t] - eta*y[t]")
    o.fact("gradients", "smooth gradients", f="f", L="L", at="x[t]", to="avg(x[t])")
    o.fact("smooth", "smooth", f="F", L="L", at="avg(x[t])", to="avg(x[t + 1])")
    o.fact("below", "bounded below", f="F", low="low", at="avg(x[T])")
    o.given("rho < 1", "eta <= 1/L")
    A = "2*eta*L**2/(1 - rho**2)"
    far, away = "(x[t] - avg(x[t]))**2", "(y[t] - avg(y[t]))**2"
    rest = f"{A}*eta**2*rho**2*(1 + rho**2)/(1 - rho**2)"
    total = "Sum(grad(F, avg(x[t]))**2, (t, 0, T - 1))"
    bound = (
        f"eta/2*{total} <= F(avg(x[0])) - low + {A}*(x[0] - avg(x[0]))**2 "
        f"+ {rest}*Sum({away}, (t, 0, T - 1))"
    )
    o.claim(bound)

    o.step("contracts", "0 < 1 - rho**2", "rho < 1")
    wrong = "(avg(y[t]) - avg(grad(f, x[t])))**2"
    o.step(
        "mean goes on",
        "(avg(y[t + 1]) - avg(grad(f, x[t + 1])))**2 <= 0",
        supposing=f"{wrong} <= 0",
    )
    o.close("mean", f"{wrong} <= 0", "induction", claim=f"-{wrong}", index="t", next="mean goes on")
    o.step(
        "mixed",
        f"(x[t + 1] - avg(x[t + 1]))**2 <= (1 + rho**2)/2*{far} "
        f"+ eta**2*rho**2*(1 + rho**2)/(1 - rho**2)*{away}",
        "mixing; contracts",
        roots="(1 - rho**2)*(x[t] - avg(x[t])) + 2*rho**2*eta*(y[t] - avg(y[t]))",
        degree=4,
    )
    wrong = "(avg(grad(f, x[t])) - grad(F, avg(x[t])))**2"
    o.step(
        "slopes", f"{wrong} <= L**2*{far}", "gradients", roots="grad(f, x[t]) - grad(f, avg(x[t]))"
    )
    o.step(
        "error",
        f"(avg(y[t]) - grad(F, avg(x[t])))**2 <= 2*L**2*{far}",
        "slopes times 2; mean times 2",
        roots="avg(y[t]) - 2*avg(grad(f, x[t])) + grad(F, avg(x[t]))",
    )
    o.step(
        "short",
        "L*eta**2*avg(y[t])**2 <= eta*avg(y[t])**2",
        "eta <= 1/L times L*eta",
        roots="avg(y[t])",
    )
    o.step(
        "descent",
        f"F(avg(x[t + 1])) + eta/2*grad(F, avg(x[t]))**2 <= F(avg(x[t])) + eta*L**2*{far}",
        "smooth; error times eta/2; short times 1/2",
    )
    o.step("weight", f"0 < {A}", "contracts")
    o.step(
        "potential",
        f"F(avg(x[t + 1])) + {A}*(x[t + 1] - avg(x[t + 1]))**2 + eta/2*grad(F, avg(x[t]))**2 "
        f"<= F(avg(x[t])) + {A}*{far} + {rest}*{away}",
        f"descent; mixed times {A}",
    )
    o.close(
        "sum",
        f"F(avg(x[T])) + {A}*(x[T] - avg(x[T]))**2 + eta/2*{total} "
        f"<= F(avg(x[0])) + {A}*(x[0] - avg(x[0]))**2 + {rest}*Sum({away}, (t, 0, T - 1))",
        "telescoped",
        step="potential",
        index="t",
        rounds="T",
        of=f"F(avg(x[t])) + {A}*{far}",
    )
    o.step("far", f"0 <= {A}*{far}", "weight", roots="x[t] - avg(x[t])")
    o.step("all", bound, "sum; below; far at t = T")
    return o
