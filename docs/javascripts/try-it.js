// Runs the cells of the page "Try it" with Pyodide. docs/hooks/try_it.py copies all files into the site.
(() => {
  const hasFiles = false;  // docs/hooks/try_it.py sets this to true
  const isServed = location.protocol !== "file:";
  if (hasFiles && isServed) document.documentElement.classList.add("tries");
  const places = [...document.querySelectorAll(".try-it")];
  if (!places.length) return;
  const why = !hasFiles
    ? "This copy of the site was built without the files that run Python in a browser. To add them, run docs/hooks/try_it.py."
    : "The browser opened this page as a file, and can run Python only on a page from a server. In the folder of this page, run: python -m http.server";
  const absent = why + " You can run the code on your machine. If it contains await, put it into an async function.";
  const base = new URL("try/", document.baseURI).href;
  const part = (place, kind, name) => place.appendChild(Object.assign(document.createElement(kind), { className: name }));
  let write = () => {}, loading, buttons = [];

  const load = async (wheels) => {
    const { loadPyodide } = await import(base + "pyodide.mjs");
    const python = await loadPyodide({ indexURL: base, packageCacheDir: base });
    python.setStdout({ batched: (text) => write(text) });
    for (const name of wheels) {
      const response = await fetch(base + name);
      if (!response.ok) throw new Error("can't load " + name);
      python.unpackArchive(await response.arrayBuffer(), "wheel");
    }
    return python;
  };

  const start = (place, wheels) => {
    const shown = place.querySelector("pre code");
    const cell = part(place, "textarea", "cell");
    cell.value = [...shown.childNodes].map((node) => node.textContent).join("").trim();
    cell.rows = cell.value.split("\n").length + 2;
    cell.spellcheck = false;
    cell.setAttribute("aria-label", "Python code");
    place.querySelector(".highlight").hidden = true;
    if (place.nextElementSibling?.matches(".highlight")) place.nextElementSibling.hidden = true;  // the output that the page shows
    const button = part(place, "button", "md-button md-button--primary");
    button.textContent = "Run";
    const output = part(place, "pre", "output");
    output.setAttribute("aria-live", "polite");

    const run = async () => {
      buttons.forEach((each) => { each.disabled = true; });
      write = (text) => { output.textContent += text + "\n"; };
      output.textContent = loading ? "" : "Loading Python (about 16 MB). Later runs start at once.\n";
      try {
        const python = await (loading ??= load(wheels));
        output.textContent = "";
        await python.runPythonAsync(cell.value, { globals: python.globals.get("dict")() });
      } catch (error) {
        write(String(error.message ?? error).trim().split("\n").slice(-12).join("\n"));
      }
      buttons.forEach((each) => { each.disabled = false; });
    };
    button.addEventListener("click", run);
    buttons.push(button);
    return run;
  };

  if (!hasFiles || !isServed) {
    part(places[0], "p", "absent").textContent = absent;
    return;
  }
  fetch(base + "wheels.json")
    .then((response) => (response.ok ? response.json() : Promise.reject(response.status)))
    .then(async (wheels) => {
      const runs = places.map((place) => start(place, wheels));
      if (new URLSearchParams(location.search).has("run")) for (const run of runs) await run();
    })
    .catch((error) => { part(places[0], "p", "absent").textContent = `Can't load Python (${error}).`; });
})();
