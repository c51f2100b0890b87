"""The cost of calls, without a clock: imports, schemas, connections, and calls of functions."""

import json
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import FrameType

import httpx
import pydantic
import pytest

import subscribekit
from subscribekit import AsyncBillingClient, BillingClient
from subscribekit._core.http.wire import tls
from subscribekit.models import Account


def loaded_after(code: str) -> set[str]:
    """Run code in a new process, and return the modules that it loaded."""
    program = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


CLIENT = (
    "import httpx\nfrom subscribekit import BillingClient\n"
    "client = BillingClient(base_url='https://b.test', api_user='u', api_key='k', "
    "transport=httpx.MockTransport(lambda request: httpx.Response(200, json={'object': 'Account', 'id': 'a1'})))\n"
)


def test_a_bare_import_loads_no_library() -> None:
    own = {name for name in loaded_after("import subscribekit") if name.startswith("subscribekit")}
    assert own == {"subscribekit", "subscribekit._lazy", "subscribekit._version"}
    assert not loaded_after("import subscribekit, subscribekit.models") & {"httpx", "pydantic", "tenacity", "jiter"}


def test_a_first_call_loads_only_the_modules_that_it_needs() -> None:
    loaded = loaded_after(CLIENT + "client.accounts.retrieve('a1')")
    assert "subscribekit.models.billing" in loaded
    absent = (
        "tenacity",
        "subscribekit.models.invoice",
        "subscribekit.models.campaign",
        "subscribekit._core.calls.telemetry.observers",
    )
    assert not loaded & {*absent, "subscribekit.sandbox", "subscribekit.gateway", "opentelemetry", "aiohttp"}


def test_httpx_is_imported_by_the_first_request() -> None:
    """Creating a client doesn't import httpx, and `direct()` never does. No request of a sync client needs asyncio."""
    with socket.create_server(("127.0.0.1", 0)) as taken:  # closed at once, so nothing listens on the port
        port = taken.getsockname()[1]
    loaded = loaded_after(
        "import sys; sys.modules['tornado'] = None\n"  # tenacity imports it if installed, and it imports asyncio
        "from subscribekit import BillingClient, RetryPolicy\n"
        "from subscribekit.errors import ConnectionFailedError\n"
        f"given = dict(base_url='http://127.0.0.1:{port}', api_user='u', api_key='k', "
        "allow_insecure_loopback=True, retry=RetryPolicy(max_attempts=1))\n"
        "client = BillingClient(**given)\n"
        "from subscribekit.transports import direct\n"
        "try: BillingClient(**given, transport=direct()).accounts.retrieve('a1')\n"
        "except ConnectionFailedError: pass\nelse: raise SystemExit(1)\n"
        "from subscribekit import GatewayClient, StorefrontClient, UserMgmtClient\n"
        "assert not {'httpx', 'httpcore', 'anyio', 'asyncio', 'aiohttp'} & set(sys.modules)\n"
        "try: client.accounts.retrieve('a1')\nexcept ConnectionFailedError: pass\nelse: raise SystemExit(1)"
    )
    assert {"h11", "httpx", "httpcore", "subscribekit._core.http.connections.pool"} <= loaded
    assert not {"aiohttp", "asyncio", "subscribekit._core.calls.driver_async"} & loaded


def test_tenacity_is_imported_only_after_a_failure() -> None:
    failing = CLIENT.replace("{'object': 'Account', 'id': 'a1'}", "{}").replace("200", "500") + (
        "from subscribekit import RetryPolicy\n"
        "client = client.with_options(retry=RetryPolicy(backoff_base=0.001))\n"
        "assert 'tenacity' not in sys.modules\n"
        "try: client.accounts.retrieve('a1')\nexcept Exception: pass"
    )
    assert "tenacity" in loaded_after(failing)


def test_nothing_is_built_a_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    client = BillingClient(
        base_url="https://b.test",
        api_user="u",
        api_key="k",
        transport=httpx.MockTransport(lambda request: httpx.Response(200, json={"object": "Account", "id": "a1"})),
    )
    client.accounts.retrieve("a1")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a schema was built for a call")

    monkeypatch.setattr(pydantic.TypeAdapter, "__init__", refuse)
    monkeypatch.setattr(Account, "model_rebuild", refuse)
    validator = Account.__pydantic_validator__
    client.accounts.retrieve("a1")
    assert Account.__pydantic_validator__ is validator
    assert client.accounts is client.accounts


def test_clients_share_one_tls_context() -> None:
    clients = [BillingClient(base_url="https://b.test", api_user="u", api_key="k") for _ in range(3)]
    contexts = {id(tls.shared_ssl_context()) for _ in clients}
    assert len(contexts) == 1
    async_client = AsyncBillingClient(base_url="https://b.test", api_user="u", api_key="k")
    assert async_client.base_url == "https://b.test"


class Account1(BaseHTTPRequestHandler):
    """Returns an account, and keeps the connection open."""

    protocol_version = "HTTP/1.1"
    connections: list[object]

    def setup(self) -> None:
        self.connections.append(self)
        super().setup()

    def do_GET(self) -> None:
        body = json.dumps({"object": "Account", "id": "a1"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Print nothing."""


def test_calls_one_after_another_share_a_connection() -> None:
    Account1.connections = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Account1) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}"
        with BillingClient(base_url=url, api_user="u", api_key="k", allow_insecure_loopback=True) as client:
            for _ in range(20):
                assert client.accounts.retrieve("a1").id == "a1"
        server.shutdown()
        thread.join()
    assert len(Account1.connections) == 1


def test_a_list_keeps_no_item_that_it_has_returned() -> None:
    counted: list[int] = []

    def answer(request: httpx.Request) -> httpx.Response:
        counted.append(1)
        following = f"/accounts?starting_after=a{len(counted)}" if len(counted) < 50 else None
        data = [{"object": "Account", "id": f"a{len(counted)}-{n}", "name": "x" * 100} for n in range(10)]
        return httpx.Response(200, json={"object": "List", "data": data, "next": following})

    client = BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=httpx.MockTransport(answer))
    pager = client.accounts.list()
    for number, _ in enumerate(pager, 1):
        page = pager._latest._page
        assert page is not None
        assert all(item is None for item in page.data[: (number - 1) % 10 + 1])
    assert len(counted) == 50


MOST_FRAMES = 88
"""The maximum number of calls of the SDK's functions in one small call.

The httpx client around a transport needs four: to build its request, to ignore cookies, to check for a fork, and to get
the current process. A URL that httpx doesn't parse needs three, instead of 40 functions of httpx. Sealing bodies and
credentials needs sixteen. OpenTelemetry, which another test may have imported, needs one.
"""


def frames_of_a_small_call() -> list[str]:
    """Return the names of the SDK's functions that one small call enters, once for each time."""

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"id": "p1", "status": "Failure"})

    client = subscribekit.BillingClient(
        base_url="https://billing.test", api_user="u", api_key="k", transport=httpx.MockTransport(answer)
    )
    client.payments.reverse("p1")
    payments, entered = client.payments, list[str]()
    inside = str(Path(subscribekit.__file__).parent)

    def record(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(inside):
            entered.append(frame.f_code.co_qualname)

    sys.setprofile(record)
    try:
        payments.reverse("p1")
    finally:
        sys.setprofile(None)
    return entered


def test_a_small_call_enters_few_functions_of_the_package() -> None:
    entered = frames_of_a_small_call()
    assert "Call._attempt" in entered
    assert len(entered) <= MOST_FRAMES, entered
