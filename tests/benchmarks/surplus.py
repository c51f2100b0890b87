"""Counts surplus responses that become receipts of other charges, and measures `Limits.min_idle_before_charge`.

    python -m benchmarks.surplus [CHARGES]

In another process, a service sends every tenth response a second time over TLS, 0 to 3 ms late. A receipt contains the
ID of its charge, so the script can count the receipts of other charges. It prints the processor time of the client.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from multiprocessing.connection import Connection

from kit.faults.server import _authority, _server_context  # pyright: ignore[reportPrivateUsage]
from subscribekit import GatewayClient, Limits, RetryPolicy
from subscribekit.errors import OutcomeUnknownError
from subscribekit.models import EntitlementCharge

_EACH = 10
_LATE = 0.003


def serve(ready: Connection, traced: bool, each: int = _EACH) -> None:
    """Respond to charges over TLS, and send one in `each` responses twice, or none if `each` is 0."""
    context, authority = _server_context(None), _authority().cert_pem.bytes()
    with socket.create_server(("127.0.0.1", 0), backlog=128) as server:
        ready.send((server.getsockname()[1], authority))
        while True:
            sock, _ = server.accept()
            threading.Thread(target=_talk, args=(sock, context, traced, each), daemon=True).start()


def _talk(sock: socket.socket, context: ssl.SSLContext, traced: bool, each: int) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        with context.wrap_socket(sock, server_side=True) as tls:
            stream = tls.makefile("rb")
            while line := stream.readline():
                headers: dict[bytes, bytes] = {}
                while line := stream.readline().strip():
                    name, _, value = line.partition(b":")
                    headers[name.lower()] = value.strip()
                charge = json.loads(stream.read(int(headers[b"content-length"])))
                body = json.dumps({"transactionReferenceId": charge["transactionId"]}).encode()
                trace = b"X-B3-TraceId: %s\r\n" % headers[b"x-b3-traceid"] if traced else b""
                head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n"
                response = head % (trace, len(body)) + body
                tls.sendall(response)
                if each and not random.randrange(each):
                    time.sleep(random.uniform(0, _LATE))
                    tls.sendall(response)
    except OSError:
        return


def _run(port: int, context: ssl.SSLContext, quiet: float | None, charges: int) -> tuple[int, int, int, float]:
    """Return the numbers of wrong receipts, unknown outcomes, and receipts, and the CPU time of a charge in ms."""
    wrong = unknown = made = 0
    client = GatewayClient(
        base_url=f"https://127.0.0.1:{port}", api_key="key", ssl_context=context,
        limits=Limits(min_idle_before_charge=quiet), retry=RetryPolicy(max_attempts=1),
    )  # fmt: skip
    with client:
        client.preload()
        before = time.thread_time()
        for number in range(charges):
            charge = EntitlementCharge(transaction_id=f"t{number}", product_code="p", amount=Decimal(1), currency="EUR")
            try:
                receipt = client.entitlements.charge("s1", charge)
            except OutcomeUnknownError:
                unknown += 1
            else:
                made += 1
                wrong += receipt.transaction_reference_id != f"t{number}"
        return wrong, unknown, made, (time.thread_time() - before) / charges * 1000


def main(charges: int, say: Callable[[str], object] = print) -> None:
    """Measure three settings, each with a service that returns traces and a service that doesn't."""
    say(f"{charges} charges in a row over TLS; each tenth response comes twice, 0 to 3 ms late")
    start = multiprocessing.get_context("spawn")
    for traced in (False, True):
        for quiet in (0.0, 0.05, None):
            ours, theirs = start.Pipe()
            service = start.Process(target=serve, args=(theirs, traced), daemon=True)
            service.start()
            port, authority = ours.recv()
            context = ssl.create_default_context(cadata=authority.decode())
            wrong, unknown, made, cpu = _run(port, context, quiet, charges)
            returns = "returns traces" if traced else "returns none"
            say(f"min_idle_before_charge={quiet}, the service {returns}: {wrong} of {made} receipts wrong, "
                f"{unknown} unknown, {cpu:.2f} ms of CPU a charge")  # fmt: skip
            service.terminate()
            service.join()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)
