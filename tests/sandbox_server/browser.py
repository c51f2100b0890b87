"""Controls a real browser in tests, over the WebDriver protocol."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, cast

import pytest

BROWSER, DRIVER = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
_SECONDS = 60
_MAX_POLLS = 3_000
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key that WebDriver uses for references to elements."""
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP evil.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)  # fmt: skip


class Browser:
    """A browser window."""

    def __init__(self, address: str) -> None:
        self._address = address
        options = {"binary": BROWSER, "args": [*_FLAGS]}
        wanted = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options}}
        self._session = f"/session/{self._send('POST', '/session', {'capabilities': wanted})['sessionId']}"

    def _send(self, method: str, path: str, body: object = None) -> Any:
        data = None if method != "POST" else json.dumps({} if body is None else body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=_SECONDS) as response:
            return json.loads(response.read())["value"]

    def open(self, url: str) -> None:
        """Open an address, and wait until the page is loaded."""
        self._send("POST", f"{self._session}/url", {"url": url})

    @property
    def url(self) -> str:
        """The address of the page."""
        return cast("str", self._send("GET", f"{self._session}/url"))

    @property
    def text(self) -> str:
        """The visible text of the page."""
        return cast("str", self._send("GET", f"{self._session}/element/{self._find('//body')}/text"))

    def _find(self, path: str) -> str:
        found = self._send("POST", f"{self._session}/element", {"using": "xpath", "value": path})
        return cast("str", found[_ELEMENT])

    def press(self, button: str) -> None:
        """Press a button, and wait until the next page is loaded, because WebDriver itself may return earlier."""
        self.run("window.isBefore = true")
        self._send("POST", f"{self._session}/element/{self._find(f'//button[text()={button!r}]')}/click")
        for _ in range(_MAX_POLLS):
            if self.run("return window.isBefore ? '' : document.readyState") == "complete":
                return
            time.sleep(0.01)
        raise AssertionError(f"no page was loaded after the button {button!r} was pressed")

    def run(self, script: str) -> Any:
        """Run a script in the page, and wait until its promise is settled."""
        return self._send("POST", f"{self._session}/execute/sync", {"script": script, "args": []})

    def close(self) -> None:
        """Close the window."""
        self._send("DELETE", self._session)


@contextmanager
def driven() -> Iterator[Browser]:
    """Start a browser, and yield its window."""
    assert DRIVER is not None
    with subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as driver:
        try:
            assert driver.stdout is not None
            started = next(line for line in driver.stdout if "started successfully on port" in line)
            address = f"http://127.0.0.1:{started.rpartition('port ')[2].strip().rstrip('.')}"
            try:
                browser = Browser(address)
            except OSError as error:  # for example, the driver has another version, or the system blocks browsers
                pytest.skip(f"NOT TESTED: the browser could not be started: {error}")
            try:
                yield browser
            finally:
                with suppress(OSError):
                    browser.close()
        finally:
            driver.terminate()
