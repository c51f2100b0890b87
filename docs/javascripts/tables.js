// A long name can break after a slash, a dot, or a word of the name, but never inside a word.
const names = ".md-typeset :not(pre) > code, .md-typeset .doc-object-name, .md-typeset h2, .md-typeset td a";
const wide = window.matchMedia("(min-width: 45em)").matches;
document.querySelectorAll(names).forEach((element) => {
  if (wide && element.closest("td:first-child")) return;  // names in the first column don't break
  [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).forEach((node) => {
    const gaps = node.data.length > 20 ? /(?<=[\w}][/._])(?=[\w{])|(?<=[a-z])(?=[A-Z])/ : /(?<=[\w}][/.])(?=[\w{])/;
    const parts = node.data.split(gaps);
    if (parts.length > 1) node.replaceWith(...parts.flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part])));
  });
});

// If a table is wider than its page, or has high rows on a narrow page, each cell is shown on its own line, after its heading.
// The roles are set because screen readers don't recognize a table without `display: table`.
const tables = [...document.querySelectorAll(".md-typeset table")].filter((table) => table.tHead && table.tBodies[0]);
tables.forEach((table) => {
  const headings = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  const roles = { table: [table], rowgroup: table.querySelectorAll("thead, tbody"), row: table.rows,
    columnheader: table.tHead.rows[0].cells, rowheader: table.querySelectorAll("tbody th"), cell: table.querySelectorAll("td") };
  Object.entries(roles).forEach(([role, elements]) => [...elements].forEach((each) => each.setAttribute("role", role)));
  [...table.tBodies].flatMap((body) => [...body.rows]).forEach((row) => {
    [...row.cells].forEach((cell, at) => { cell.dataset.heading = headings[at]; });
  });
});
const fit = () => tables.forEach((table) => {
  table.removeAttribute("data-stacked");
  const room = table.closest(".md-content__inner").clientWidth;
  const rows = [...table.tBodies[0].rows];
  const isHigh = window.innerWidth < 720 && rows.some((row) => row.offsetHeight > (row.cells.length > 2 ? 96 : 160));
  if (isHigh || table.scrollWidth > room || table.offsetWidth > room) table.setAttribute("data-stacked", "");
});
let width = 0;
new ResizeObserver(() => {
  if (window.innerWidth === width) return;
  width = window.innerWidth;
  fit();
}).observe(document.body);

// A picture is at most as wide as the page. A link opens the picture in its full size.
document.querySelectorAll(".md-typeset p > img").forEach((image) => {
  const link = Object.assign(document.createElement("a"), { href: image.src });
  image.replaceWith(link);
  link.append(image);
});

// The filter of a page with tables shows only the rows that contain every word of the input.
document.querySelectorAll("input.filter").forEach((input) => {
  input.classList.add("on");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/[\s._/]+/).filter(Boolean);
    document.querySelectorAll(".md-typeset table tbody tr").forEach((row) => {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    });
  });
});
