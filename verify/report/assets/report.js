"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const root = document.documentElement;
  root.classList.add("script");
  for (const node of all(".needs-script")) node.hidden = false;

  // theme: the system's, light or dark; remembered where the browser allows it
  const themes = ["system", "light", "dark"];
  const theme = one("#theme");
  const recall = () => { try { return localStorage.getItem("fedassay-theme"); } catch { return null; } };
  const remember = (name) => { try { localStorage.setItem("fedassay-theme", name); } catch { /* private */ } };
  const setTheme = (name) => {
    if (name === "system") delete root.dataset.theme; else root.dataset.theme = name;
    theme.textContent = `Theme: ${name}`;
  };
  setTheme(themes.includes(recall()) ? recall() : "system");
  theme.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length];
    setTheme(next);
    remember(next);
  });

  // long pages carry the evidence packed: unpack it, and show that of an entry when it is opened
  let bodies = null;
  const unpacked = (async () => {
    const store = one("#packed");
    if (!store) return;
    const bytes = Uint8Array.from(atob(store.textContent), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bodies = JSON.parse(await new Response(stream).text());
    for (const picture of all("img[data-place]")) picture.src = bodies[picture.dataset.place];
  })();
  const fill = async (entry) => {
    await unpacked;
    const place = one(".packed", entry);
    if (place) place.outerHTML = bodies[place.dataset.place];
  };
  document.addEventListener("toggle", (event) => {
    const entry = event.target.closest(".entry");
    if (entry && event.target.open) fill(entry);
  }, true);

  // filters
  const form = one("#filters");
  const entries = all(".entry");
  const texts = new Map();
  const formulas = (entry) => all("math", entry).map((math) => math.getAttribute("alttext"));
  const marks = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };
  const plain = (html) => html  // every ">" and every quote inside a text or a value is escaped
    .replace(/<math[^>]*? alttext=("[^"]*"|[^\s>]+)[^>]*>/g, " $1 ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|quot|amp|#x27);/g, (mark) => marks[mark]);
  const textOf = (entry) => {
    if (!texts.has(entry)) {
      const parts = [`${entry.dataset.paper}.${entry.textContent}`, ...formulas(entry)];
      const place = one(".packed", entry);
      if (place && bodies) {
        parts.push(plain(bodies[place.dataset.place]));
      }
      texts.set(entry, parts.join(" ").toLowerCase());
    }
    return texts.get(entry);
  };
  const apply = () => {
    const verdicts = new Set(all("[name=verdict]:checked", form).map((box) => box.value));
    const chosen = ["paper", "rung", "form"].map((name) => [name, form.elements[name].value]);
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const entry of entries) {
      const fits = verdicts.has(entry.dataset.verdict)
        && chosen.every(([name, value]) => !value || entry.dataset[name] === value)
        && (!words.length || words.every((word) => textOf(entry).includes(word)));
      entry.hidden = !fits;
      shown += fits;
    }
    for (const paper of all(".paper")) paper.hidden = !one(".entry:not([hidden])", paper);
    one("#nothing").hidden = shown > 0;
    one("#shown").value = `${shown} of ${entries.length} entries shown`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  one("#unfold").addEventListener("click", (event) => {
    const open = event.target.textContent === "Open shown";
    for (const entry of entries) if (!entry.hidden) one(".more", entry).open = open;
    event.target.textContent = open ? "Close shown" : "Open shown";
  });
  apply();
  unpacked.then(() => { texts.clear(); apply(); });

  // a link to an entry shows it, whatever the filters hide, and opens it
  const visit = () => {
    const name = location.hash.slice(1);  // as written: names of places need no escapes
    const target = document.getElementById(name.replaceAll("%7E", "~"));
    if (!target) return;
    if (target.closest("[hidden]")) { form.reset(); setTimeout(visit, 1); return; }
    if (target.classList.contains("entry")) {
      one(".more", target).open = true;
      target.focus({ preventScroll: true });
    }
    // entries off the screen have no exact height until they are drawn: go on until it is right
    let left = 12;
    const approach = () => {
      target.scrollIntoView({ block: "start", behavior: "instant" });
      if (--left) requestAnimationFrame(approach);
    };
    approach();
  };
  addEventListener("hashchange", visit);
  if (location.hash) visit();

  // copy a command
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* older way below */ }
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const done = await copy(one(".command", button.parentElement).textContent);
    button.textContent = done ? "Copied" : "Select and copy";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });

  // graph: what a claim rests on, and what rests on it, all the way
  const reach = (edges, start, from, to) => {
    const found = new Set([start]);
    const waiting = [start];
    while (waiting.length) {
      const here = waiting.pop();
      for (const edge of edges) {
        if (edge.dataset[from] !== here) continue;
        edge.classList.add("lit");
        if (!found.has(edge.dataset[to])) { found.add(edge.dataset[to]); waiting.push(edge.dataset[to]); }
      }
    }
    return found;
  };
  for (const graph of all(".graph")) {
    const edges = all(".edge", graph);
    const nodes = all(".node", graph);
    const clear = () => {
      graph.classList.remove("dim");
      for (const lit of all(".lit", graph)) lit.classList.remove("lit");
    };
    const light = (node) => {
      clear();
      const name = node.dataset.node;
      const near = new Set([...reach(edges, name, "to", "from"), ...reach(edges, name, "from", "to")]);
      for (const other of nodes) other.classList.toggle("lit", near.has(other.dataset.node));
      graph.classList.add("dim");
    };
    for (const node of nodes) {
      for (const kind of ["mouseenter", "focus"]) node.addEventListener(kind, () => light(node));
      for (const kind of ["mouseleave", "blur"]) node.addEventListener(kind, clear);
    }
  }

  // keyboard: a slash goes to the search field, Escape leaves it
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing) { event.preventDefault(); form.elements.text.focus(); }
    if (event.key === "Escape" && event.target === form.elements.text) { form.elements.text.value = ""; apply(); event.target.blur(); }
  });
})();
