// Shows and hides what is there in a frame; all of it is in the document already.
(function () {
  const root = document.documentElement;
  const sections = [...document.querySelectorAll(".page")];
  const picker = document.getElementById("pages");
  const pages = sections.map((section) => ({
    section,
    steps: Number(section.dataset.steps),
    step: 0,
    zoom: "fit",
    slider: section.querySelector("input[type=range]"),
    output: section.querySelector("output"),
    canvas: section.querySelector(".canvas"),
    svg: section.querySelector("svg"),
    timed: [...section.querySelectorAll("[data-b], [data-d], [data-a], [data-v]")],
    vertices: [...section.querySelectorAll(".vertex")],
    edges: [...section.querySelectorAll(".edge")],
    stages: [...section.querySelectorAll(".stage")],
    rows: [...section.querySelectorAll(".steps tr[data-k]")],
    cells: [...section.querySelectorAll(".jacobian td:not(.zero)")],
    degrees: section.querySelector(".degrees"),
    trying: section.querySelector(".try"),
    undo: section.querySelector("[data-go=undo]"),
    own: [], // the vertices eliminated by hand, from the frame that is shown
  }));
  let current = 0;

  function draw(page) {
    const k = page.step;
    for (const element of page.timed) {
      const [born, died] = hands.life(element);
      const ghost = k > 0 && died === k && born < k && !element.dataset.s;
      const list = element.classList;
      list.toggle("off", !(born <= k && k < died) && !(ghost && !list.contains("entry")));
      list.toggle("ghost", ghost);
      list.toggle("fresh", k > 0 && born === k);
      list.toggle("sum", k > 0 && born === k && element.dataset.f === "1");
    }
    for (const stage of page.stages) {
      const shown = page.trying.checked ? stage.classList.contains("own") : Number(stage.dataset.k) === k;
      stage.classList.toggle("off", !shown);
    }
    for (const row of page.rows) {
      const now = Number(row.dataset.k) === k;
      row.classList.toggle("now", now);
      if (now) keepInSight(row, row.closest(".scroll"));
    }
    for (const cell of page.cells) {
      cell.classList.toggle("open", ![...cell.children].some((entry) => !entry.classList.contains("off")));
    }
    page.slider.value = k;
    page.output.textContent = `step ${k} of ${page.steps}`;
    for (const button of page.section.querySelectorAll("[data-go]:not([data-go=undo])")) {
      const back = button.dataset.go === "first" || button.dataset.go === "back";
      button.disabled = back ? k === 0 : k === page.steps;
    }
    const state = hands.stateOf(page);
    hands.draw(page, state);
    hands.drawDegrees(page, state);
  }

  function resize(page) {
    const box = page.svg.viewBox.baseVal;
    const room = page.canvas.clientWidth - 2;
    const fitting = Math.min(1.25, room / box.width);
    const scale = page.zoom === "fit" ? fitting : page.zoom;
    page.svg.classList.toggle("far", scale < 0.72); // small text would be illegible
    page.svg.setAttribute("width", box.width * scale);
    page.svg.setAttribute("height", box.height * scale);
    page.scale = scale;
  }

  function zoom(page, how) {
    if (how === "fit") page.zoom = how;
    else page.zoom = Math.min(4, Math.max(0.1, page.scale * (how === "in" ? 1.25 : 0.8)));
    resize(page);
  }

  function keepInSight(row, frame) {
    const { top, height } = row.getBoundingClientRect();
    const above = top - frame.getBoundingClientRect().top;
    const room = frame.clientHeight - 2 * height;
    if (above < 2 * height || above > room) frame.scrollTop += above - room / 2;
  }

  // Brings what a step changes into view, if it is not.
  function follow(page) {
    const changed = page.svg.querySelectorAll(".vertex.ghost, .edge.fresh");
    const boxes = [...changed].map((part) => part.getBBox());
    if (!boxes.length) return;
    const { canvas, scale } = page;
    const top = page.svg.viewBox.baseVal.y;
    const left = Math.min(...boxes.map((b) => b.x)) * scale;
    const right = Math.max(...boxes.map((b) => b.x + b.width)) * scale;
    const upper = (Math.min(...boxes.map((b) => b.y)) - top) * scale;
    const lower = (Math.max(...boxes.map((b) => b.y + b.height)) - top) * scale;
    if (left < canvas.scrollLeft || right > canvas.scrollLeft + canvas.clientWidth) {
      canvas.scrollLeft = (left + right - canvas.clientWidth) / 2;
    }
    if (upper < canvas.scrollTop || lower > canvas.scrollTop + canvas.clientHeight) {
      canvas.scrollTop = (upper + lower - canvas.clientHeight) / 2;
    }
  }

  function go(page, step) {
    page.own = [];
    page.step = Math.min(page.steps, Math.max(0, step));
    draw(page);
    follow(page);
    const hash = `#${pages.length > 1 ? `page=${current + 1}&` : ""}step=${page.step}`;
    history.replaceState(null, "", hash);
  }

  function show(number) {
    current = Math.min(pages.length - 1, Math.max(0, number));
    sections.forEach((section, k) => section.classList.toggle("shown", k === current));
    if (picker) picker.value = String(current + 1);
    resize(pages[current]);
    draw(pages[current]);
    follow(pages[current]);
  }

  function fromAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    const number = Number(words.get("page") || current + 1) - 1;
    const page = pages[Math.min(pages.length - 1, Math.max(0, number))];
    page.step = Math.min(page.steps, Math.max(0, Number(words.get("step") || 0)));
    if (words.get("degrees")) page.degrees.checked = true;
    show(number);
  }

  // What is pointed at, in full: titles alone come late, and not at all by touch.
  function point(page, target) {
    const drawn = target.closest(".vertex, .edge:not(.drawn), .label, .hull");
    for (const old of page.svg.querySelectorAll(".pointed")) old.classList.remove("pointed");
    if (!drawn) return;
    page.section.querySelector(".tip").textContent = drawn.querySelector("title").textContent;
    const number = drawn.dataset.a;
    if (number === undefined) return;
    for (const part of page.svg.querySelectorAll(`[data-a="${number}"]`)) part.classList.add("pointed");
  }

  for (const page of pages) {
    const moves = {
      first: () => 0,
      back: () => page.step - 1,
      on: () => page.step + 1,
      last: () => page.steps,
    };
    page.slider.addEventListener("input", () => go(page, Number(page.slider.value)));
    page.degrees.addEventListener("change", () => draw(page));
    page.trying.addEventListener("change", () => {
      page.own = [];
      draw(page);
    });
    page.svg.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        const vertex = event.target.closest(".vertex");
        if (!vertex || !page.trying.checked) return;
        event.preventDefault();
        if (hands.choose(page, vertex)) draw(page);
      }
    });
    page.svg.addEventListener("pointerover", (event) => point(page, event.target));
    page.section.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go], [data-zoom]");
      if (button && button.dataset.go === "undo") {
        page.own.pop();
        draw(page);
      } else if (button && button.dataset.go) go(page, moves[button.dataset.go]());
      if (hands.choose(page, event.target.closest(".vertex"))) draw(page);
      if (button && button.dataset.zoom) zoom(page, button.dataset.zoom);
      const link = event.target.closest(".steps a");
      if (link) {
        event.preventDefault();
        go(page, Number(link.closest("tr").dataset.k));
      }
    });
  }
  if (picker) {
    picker.addEventListener("change", () => {
      show(Number(picker.value) - 1);
      go(pages[current], pages[current].step);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.matches("select, input[type=range]")) return; // they move themselves
    const page = pages[current];
    const keys = {
      ArrowRight: () => go(page, page.step + 1),
      ArrowLeft: () => go(page, page.step - 1),
      Home: () => go(page, 0),
      End: () => go(page, page.steps),
      "+": () => zoom(page, "in"),
      "-": () => zoom(page, "out"),
      0: () => zoom(page, "fit"),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  window.addEventListener("resize", () => resize(pages[current]));
  window.addEventListener("hashchange", fromAddress);
  root.classList.add("js");
  fromAddress();
})();
