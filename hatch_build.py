"""The project's URLs in the metadata, from the two facts of `[tool.subscribekit]` in pyproject.toml."""

import tomllib
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Urls(MetadataHookInterface):
    """Fills in `project.urls`; an address that is not known yet is left out."""

    def update(self, metadata: dict[str, object]) -> None:
        """Add the URLs."""
        project = tomllib.loads((Path(self.root) / "pyproject.toml").read_text(encoding="utf-8"))
        facts: dict[str, str] = project["tool"]["subscribekit"]
        repository = facts["repository"].rstrip("/")
        urls = {"Security": facts["reports"]}
        if repository:
            urls |= {
                "Repository": repository,
                "Changelog": f"{repository}/blob/main/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
        metadata["urls"] = {name: url for name, url in urls.items() if url}
