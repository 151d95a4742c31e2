// Shades by a measure, and marks what belongs to the line that is pointed at.
(function () {
  document.documentElement.classList.add("js");
  const views = [...document.querySelectorAll(".view")];
  const picker = document.getElementById("views");

  function shade(view, m) {
    for (const row of view.querySelectorAll(".source tr[data-l]")) {
      row.style.setProperty("--share", row.style.getPropertyValue(`--m${m}`) || "0");
    }
    for (const cell of view.querySelectorAll(".source .figure, .source th")) {
      cell.classList.toggle("on", cell.classList.contains(`m${m}`));
    }
  }

  function mark(view, lines, tip) {
    const wanted = new Set(lines);
    for (const part of view.querySelectorAll("tr[data-l], .vertex[data-l]")) {
      part.classList.toggle("near", wanted.has(part.dataset.l));
    }
    for (const row of view.querySelectorAll("tr[data-from]")) {
      row.classList.toggle("near", row.dataset.from.split(" ").some((l) => wanted.has(l)));
    }
    view.querySelector(".tip").textContent = tip || "";
  }

  // The lines that an element belongs to, and what is said of it.
  function told(target) {
    const part = target.closest("tr[data-l], tr[data-from], .vertex");
    if (!part) return null;
    const { l, from, tip } = part.dataset;
    const title = part.querySelector("title");
    return { part, lines: l ? [l] : (from || "").split(" ").filter(Boolean), tip: title ? title.textContent : tip };
  }

  function show(view, lines) {
    for (const pane of view.querySelectorAll(".pane")) {
      const row = pane.querySelector("tr.near");
      if (!row) continue;
      const above = row.getBoundingClientRect().top - pane.getBoundingClientRect().top;
      if (above < 40 || above > pane.clientHeight - 40) pane.scrollTop += above - pane.clientHeight / 3;
    }
  }

  for (const view of views) {
    let kept = null;
    const measures = view.querySelector(".measures");
    measures.addEventListener("change", () => shade(view, measures.value));
    view.addEventListener("pointerover", (event) => {
      const found = told(event.target);
      if (found) mark(view, found.lines, found.tip);
      else mark(view, kept ? kept.lines : [], kept && kept.tip);
    });
    view.addEventListener("click", (event) => {
      const found = told(event.target);
      kept = found && (!kept || kept.part !== found.part) ? found : null;
      mark(view, kept ? kept.lines : [], kept && kept.tip);
      if (kept) show(view);
    });
    shade(view, 0);
  }
  picker.addEventListener("change", () => {
    views.forEach((view, k) => view.classList.toggle("shown", String(k + 1) === picker.value));
  });
})();
