"""The report of `scripts/prose.py` lists long sentences and avoided terms with their lines, and never fails."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "scripts" / "prose.py"
LONG = "Each word " * 18 + "counts."


def test_the_report_names_files_and_lines_and_never_fails(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text(
        f"# Title\n\nA short sentence. {LONG}\n\n```python\n{LONG}\n```\n\n| Cell | The base\naddress. |\n",
        encoding="utf-8",
    )
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "module.py").write_text(
        f'"""The list goes on."""\n\nbase_address = "base-address"  # `goes on` is code\n\n# {LONG}\n# And no more.\n',
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"docs/page.md:3: 37 words: {LONG[:70]}...",
        'docs/page.md:9: "base address": write "base URL"',
        'src/module.py:1: "goes on": write "continues, or resumes"',
        f"src/module.py:5: 37 words: {LONG[:70]}...",
        "4 places to read; this check never fails",
    ]
