// The page "Try it": runs its cell with Pyodide. All files are beside the page; docs/hooks/try_it.py puts them there.
(() => {
  const place = document.querySelector(".try-it");
  if (!place) return;
  const absent = "This copy of the site was built without the files that run Python in a browser, or is opened as a "
    + "file and not from a server. The code above runs on your machine as it stands.";
  const part = (kind, name) => place.appendChild(Object.assign(document.createElement(kind), { className: name }));
  const base = new URL("try/", document.baseURI).href;

  const start = (wheels) => {
    const shown = place.querySelector("pre code");
    const cell = part("textarea", "cell");
    cell.value = [...shown.childNodes].map((node) => node.textContent).join("").trim();
    cell.rows = cell.value.split("\n").length + 2;
    cell.spellcheck = false;
    cell.setAttribute("aria-label", "Python code");
    place.querySelector(".highlight").hidden = true;
    const button = part("button", "md-button md-button--primary");
    button.textContent = "Run";
    const output = part("pre", "output");
    output.setAttribute("aria-live", "polite");
    const write = (text) => { output.textContent += text + "\n"; };
    let loading;

    const load = async () => {
      const { loadPyodide } = await import(base + "pyodide.mjs");
      const python = await loadPyodide({ indexURL: base, packageCacheDir: base });
      python.setStdout({ batched: write });
      for (const name of wheels) {
        const response = await fetch(base + name);
        if (!response.ok) throw new Error(name + " could not be loaded");
        python.unpackArchive(await response.arrayBuffer(), "wheel");
      }
      return python;
    };

    button.addEventListener("click", async () => {
      button.disabled = true;
      output.textContent = loading ? "" : "Loading Python, about 16 MB; only the first run takes long.\n";
      try {
        const python = await (loading ??= load());
        output.textContent = "";
        const namespace = python.globals.get("dict")();
        await python.runPythonAsync(cell.value, { globals: namespace });
      } catch (error) {
        write(String(error.message ?? error).trim().split("\n").slice(-12).join("\n"));
      }
      button.disabled = false;
    });
    if (new URLSearchParams(location.search).has("run")) button.click();
  };

  fetch(base + "wheels.json")
    .then((response) => (response.ok ? response.json() : Promise.reject(response.status)))
    .then(start)
    .catch(() => { part("p", "absent").textContent = absent; });
})();
