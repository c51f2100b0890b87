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
