// Tables: a name may go on in the next line after a slash or a dot, never inside of a word.
document.querySelectorAll(".md-typeset td code").forEach((code) => {
  if (!code.childElementCount) code.innerHTML = code.innerHTML.replace(/(\w|\})([/.])(?=\w|\{)/g, "$1$2<wbr>");
});

// The filter of a page of tables: shows the rows that hold every word that was typed.
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
