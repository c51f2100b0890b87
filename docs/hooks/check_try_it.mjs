// Runs the cells of the page "Try it" with the files of a built site, as a browser does, and compares their output.
//
//     node docs/hooks/check_try_it.mjs SITE

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const files = resolve(process.argv[2], "try");
const page = await readFile(new URL("../try-it.md", import.meta.url), "utf8");
const cells = [...page.matchAll(/```python\n(.*?)```\n\s*(?:<\/div>\s*)?```text title="Output"\n(.*?)```/gs)];
const { loadPyodide } = await import(pathToFileURL(`${files}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: files, packageCacheDir: files });
let printed = "";
python.setStdout({ batched: (text) => { printed += `${text}\n`; } });
for (const name of JSON.parse(await readFile(`${files}/wheels.json`, "utf8"))) {
  python.unpackArchive((await readFile(`${files}/${name}`)).buffer, "wheel");
}

let wrong = cells.length < 2;
for (const [, code, wanted] of cells) {
  printed = "";
  await python.runPythonAsync(code, { globals: python.globals.get("dict")() });
  if (printed !== wanted) {
    wrong = true;
    console.error(`a cell of the page "Try it" printed\n${printed}instead of\n${wanted}`);
  }
}
console.log(`The page "Try it": ${cells.length} cells were run with Pyodide ${python.version}`);
process.exit(wrong ? 1 : 0);
