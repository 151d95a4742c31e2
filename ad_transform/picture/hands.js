"use strict";
// Elimination by hand: from the frame that is shown, vertex by vertex as one likes.
const hands = (function () {
  // The frames in which an element is there: from the first to before the second.
  function life(element) {
    const data = element.dataset;
    return [Number(data.b || 0), data.d === undefined ? Infinity : Number(data.d)];
  }

  // The graph that is shown: edges by "u>w", each with its element if it has one.
  function stateOf(page) {
    const edges = new Map();
    for (const part of page.edges) {
      const [born, died] = life(part);
      const { u, w } = part.dataset;
      if (born <= page.step && page.step < died) edges.set(`${u}>${w}`, { u, w, part });
    }
    const row = page.rows.find((r) => Number(r.dataset.k) === page.step);
    const state = { edges, total: row ? Number(row.dataset.sum) : 0, last: [] };
    if (page.trying.checked) for (const v of page.own) eliminate(state, v);
    return state;
  }

  function eliminate(state, v) {
    const all = [...state.edges.values()];
    const before = all.filter((e) => e.w === v), after = all.filter((e) => e.u === v);
    state.last = [];
    for (const { u } of before) {
      for (const { w } of after) {
        const old = state.edges.get(`${u}>${w}`);
        const made = { u, w, part: old ? old.part : null, sum: Boolean(old), changed: true };
        state.edges.set(`${u}>${w}`, made);
        state.last.push(made);
      }
    }
    for (const edge of [...before, ...after]) state.edges.delete(`${edge.u}>${edge.w}`);
    state.total += before.length * after.length;
    state.degrees = [before.length, after.length];
  }

  function open(state, v) {
    const edges = [...state.edges.values()];
    return edges.some((e) => e.w === v) && edges.some((e) => e.u === v);
  }

  function vertexOf(page, v) {
    return page.vertices.find((vertex) => vertex.dataset.v === v);
  }

  // Shows what is left after the eliminations by hand; what they made has no labels.
  function draw(page, state) {
    for (const old of page.svg.querySelectorAll(".drawn")) old.remove();
    page.undo.hidden = !page.trying.checked;
    page.undo.disabled = !page.own.length;
    page.section.classList.toggle("trying", page.trying.checked);
    for (const vertex of page.vertices) {
      const able = page.trying.checked && open(state, vertex.dataset.v);
      vertex.classList.toggle("able", able);
      if (able) vertex.setAttribute("tabindex", "0");
      else vertex.removeAttribute("tabindex");
    }
    if (!page.trying.checked) return;
    const shown = new Map();
    for (const edge of state.edges.values()) if (edge.part) shown.set(edge.part.dataset.a, edge);
    for (const part of page.svg.querySelectorAll("[data-a]")) {
      const edge = shown.get(part.dataset.a);
      const label = part.classList.contains("label");
      const last = edge && state.last.includes(edge);
      part.classList.remove("ghost", "fresh", "sum");
      part.classList.toggle("off", !edge || (label && Boolean(edge.changed)));
      if (last) part.classList.add("fresh", "sum");
    }
    for (const vertex of page.vertices) {
      const [born, died] = life(vertex);
      const place = page.own.indexOf(vertex.dataset.v);
      const last = place >= 0 && place === page.own.length - 1;
      const there = born <= page.step && page.step < died && place < 0;
      vertex.classList.toggle("off", !there && !last);
      vertex.classList.toggle("ghost", last);
    }
    const layer = page.svg.querySelector(".edges");
    for (const edge of state.edges.values()) {
      if (!edge.part) layer.appendChild(curve(page, edge, state.last.includes(edge)));
    }
    const said = page.section.querySelector(".stage.own p");
    said.textContent = words(page, state);
  }

  function curve(page, edge, fresh) {
    const [u, w] = [edge.u, edge.w].map((v) => vertexOf(page, v).querySelector("rect"));
    const at = (rect, name) => Number(rect.getAttribute(name));
    const [x, y] = [at(u, "x") + at(u, "width"), at(u, "y") + at(u, "height") / 2];
    const [a, b] = [at(w, "x"), at(w, "y") + at(w, "height") / 2];
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", `edge drawn${fresh ? " fresh" : ""}${fresh && edge.sum ? " sum" : ""}`);
    const parts = [
      ["line", `M${x},${y}C${(x + a) / 2},${y} ${(x + a) / 2},${b} ${a - 5},${b}`],
      ["head", `M${a},${b}l-8,-4v8z`],
    ];
    for (const [kind, d] of parts) {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("class", kind);
      path.setAttribute("d", d);
      group.appendChild(path);
    }
    return group;
  }

  function words(page, state) {
    const left = page.vertices.filter((vertex) => open(state, vertex.dataset.v)).length;
    const { total, bound } = page.section.dataset;
    const least = bound ? `, and no order of vertices takes fewer than ${bound}` : "";
    const marks = `the steps take ${total}${least}`;
    const order = page.own.map((v) => vertexOf(page, v).dataset.n).join(", ");
    if (!page.own.length && left) {
      return `Click on a vertex to eliminate it. ${left} are left; ${state.total} multiplications so far.`;
    }
    if (!left) return `Done with ${state.total} multiplications, in the order ${order || "shown"}; ${marks}.`;
    const [p, s] = state.degrees;
    return `${order}: the last one took ${p} × ${s} = ${p * s}, ${state.total} so far; ${left} left; ${marks}.`;
  }

  function choose(page, vertex) {
    if (!page.trying.checked || !vertex || !vertex.classList.contains("able")) return false;
    page.own.push(vertex.dataset.v);
    return true;
  }

  function drawDegrees(page, state) {
    for (const old of page.svg.querySelectorAll(".degree")) old.remove();
    if (!page.degrees.checked) return;
    const into = new Map(), out = new Map();
    for (const { u, w } of state.edges.values()) {
      out.set(u, (out.get(u) || 0) + 1);
      into.set(w, (into.get(w) || 0) + 1);
    }
    for (const vertex of page.vertices) {
      const v = vertex.dataset.v;
      if (!into.has(v) || !out.has(v)) continue;
      const rect = vertex.querySelector("rect");
      const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
      text.setAttribute("class", "degree");
      text.setAttribute("x", Number(rect.getAttribute("x")) + Number(rect.getAttribute("width")) / 2);
      text.setAttribute("y", Number(rect.getAttribute("y")) - 4);
      text.textContent = `${into.get(v)}×${out.get(v)} = ${into.get(v) * out.get(v)}`;
      vertex.appendChild(text);
    }
  }

  return { choose, draw, drawDegrees, life, stateOf };
})();
