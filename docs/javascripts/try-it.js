// The page "Try it": runs its cells with Pyodide. All files are beside the page; docs/hooks/try_it.py puts them there.
(() => {
  const hasFiles = false;  // docs/hooks/try_it.py turns it
  const isServed = location.protocol !== "file:";
  if (hasFiles && isServed) document.documentElement.classList.add("tries");
  const places = [...document.querySelectorAll(".try-it")];
  if (!places.length) return;
  const why = !hasFiles
    ? "This copy of the site was built without the files that run Python in a browser; docs/hooks/try_it.py adds them."
    : "This page is opened as a file, and a browser runs Python only from a server: python -m http.server in the folder.";
  const absent = why + " The code runs on your machine as it stands; an await needs a function around it.";
  const base = new URL("try/", document.baseURI).href;
  const part = (place, kind, name) => place.appendChild(Object.assign(document.createElement(kind), { className: name }));
  let write = () => {}, loading, buttons = [];

  const load = async (wheels) => {
    const { loadPyodide } = await import(base + "pyodide.mjs");
    const python = await loadPyodide({ indexURL: base, packageCacheDir: base });
    python.setStdout({ batched: (text) => write(text) });
    for (const name of wheels) {
      const response = await fetch(base + name);
      if (!response.ok) throw new Error(name + " could not be loaded");
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
    if (place.nextElementSibling?.matches(".highlight")) place.nextElementSibling.hidden = true;  // what it would print
    const button = part(place, "button", "md-button md-button--primary");
    button.textContent = "Run";
    const output = part(place, "pre", "output");
    output.setAttribute("aria-live", "polite");

    const run = async () => {
      buttons.forEach((each) => { each.disabled = true; });
      write = (text) => { output.textContent += text + "\n"; };
      output.textContent = loading ? "" : "Loading Python, about 16 MB; only the first run takes long.\n";
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
    .catch((error) => { part(places[0], "p", "absent").textContent = `Python could not be loaded (${error}).`; });
})();
