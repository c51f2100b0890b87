"""Configures and runs nginx, HAProxy, squid, PgBouncer, and Varnish as child processes on loopback ports."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import sqlalchemy as sa

from bulk.postgresql import Postgres

_START_SECONDS = 20.0
_STOP_SECONDS = 10.0
_PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin", "/sbin"])


def program(name: str) -> str | None:
    """Return the path of an installed server, or `None`."""
    return shutil.which(name, path=_PLACES)


def unused_port() -> int:
    """Return a port that is currently free."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Server:
    """A server that runs in the foreground, as a context manager.

    Args:
        folder: The folder for its configuration and its log.
    """

    name = ""
    end_signal = signal.SIGTERM

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = unused_port()
        self.config = folder / f"{self.name}.conf"
        self.log = folder / f"{self.name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self._started: list[subprocess.Popen[bytes]] = []

    def command(self) -> list[str]:
        """Return the arguments of the program."""
        return ["-c", str(self.config)]

    def start(self, *arguments: str) -> None:
        """Start a process, and wait until its port is open."""
        path = program(self.name)
        assert path is not None
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([path, *self.command(), *arguments], stdout=log, stderr=log)
        self._started.append(self.process)
        end = time.monotonic() + _START_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError(f"{self.name} does not listen:\n{self.log.read_text(errors='replace')}")

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(_STOP_SECONDS)

    def restart(self) -> None:
        """Kill the process, and start it again after a time in which nothing listens."""
        self.kill()
        time.sleep(0.1)
        self.start()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all started processes."""
        for process in self._started:
            if process.poll() is None:
                process.send_signal(self.end_signal)
        for process in self._started:
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(_STOP_SECONDS)


class Nginx(Server):
    """nginx as a reverse proxy, with TLS to the client and persistent connections on both sides.

    Args:
        folder: The folder for its configuration and its log.
        backend: The port of the backend.
        certificate: A file with its key and certificates.
        cache: The directives of `location` for a cache, or an empty string for no cache.
    """

    name = "nginx"

    def __init__(self, folder: Path, backend: int, certificate: Path, cache: str = "") -> None:
        super().__init__(folder)
        temporary = "\n".join(
            f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self.config.write_text(f"""
            daemon off;
            worker_processes 2;
            worker_shutdown_timeout 5s;
            pid {folder / "nginx.pid"};
            error_log {self.log} warn;
            events {{ worker_connections 256; }}
            http {{
                {temporary}
                proxy_cache_path {folder / "cache"} keys_zone=kept:1m;
                access_log off;
                upstream service {{ server 127.0.0.1:{backend}; keepalive 16; }}
                server {{
                    listen 127.0.0.1:{self.port} ssl;
                    ssl_certificate {certificate};
                    ssl_certificate_key {certificate};
                    keepalive_requests 40;
                    keepalive_timeout 5s;
                    location / {{
                        proxy_pass http://service;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        {cache}
                    }}
                }}
            }}
        """)

    def command(self) -> list[str]:
        """Return arguments that replace the default paths of the package."""
        return ["-c", str(self.config), "-e", str(self.log), "-p", str(self.folder)]

    def reload(self) -> None:
        """Send the signal that `nginx -s reload` sends."""
        assert self.process is not None
        self.process.send_signal(signal.SIGHUP)


class HAProxy(Server):
    """HAProxy as a reverse proxy, with TLS to the client and persistent connections on both sides."""

    name = "haproxy"

    def __init__(self, folder: Path, backend: int, certificate: Path) -> None:
        super().__init__(folder)
        self.config.write_text(f"""
global
    maxconn 256
    nbthread 2
    hard-stop-after 5s
defaults
    mode http
    timeout connect 5s
    timeout client 10s
    timeout server 10s
    http-reuse safe
frontend public
    bind 127.0.0.1:{self.port} ssl crt {certificate}
    default_backend service
backend service
    server one 127.0.0.1:{backend}
""")

    def command(self) -> list[str]:
        """Return arguments for a quiet process in the foreground."""
        return ["-db", "-q", "-f", str(self.config)]

    def reload(self) -> None:
        """Start a new process, which asks the old one to finish (`-sf`)."""
        assert self.process is not None
        self.start("-sf", str(self.process.pid))


class Squid(Server):
    """squid as a forward proxy.

    Args:
        folder: A folder that the user `proxy` can read, because squid switches to this user.
        access: The access rules.
        password: The password of the user `merchant`, or `None` for no authentication.
    """

    name = "squid"
    end_signal = signal.SIGKILL  # an orderly end takes seconds

    def __init__(self, folder: Path, *, access: str = "http_access allow all", password: str | None = None) -> None:
        super().__init__(folder)
        authentication = ""
        if password is not None:
            helper = folder / "check.sh"
            # squid sends a line with the user and the password to its helper, which responds with OK or ERR.
            helper.write_text(
                f'while read -r line; do [ "$line" = "merchant {password}" ] && echo OK || echo ERR; done\n'
            )
            helper.chmod(0o644)
            authentication = f"auth_param basic program /bin/sh {helper}\nacl known proxy_auth REQUIRED"
            access = "http_access allow known\nhttp_access deny all"
        self.config.write_text(f"""
http_port 127.0.0.1:{self.port}
{authentication}
{access}
pid_filename none
cache_log /dev/null
access_log none
cache deny all
cache_mem 8 MB
memory_pools off
max_filedescriptors 1024
netdb_filename none
pinger_enable off
visible_hostname squid.test
coredump_dir {folder}
""")

    def command(self) -> list[str]:
        """Return arguments for a single process in the foreground."""
        return ["-N", "-f", str(self.config)]


class PgBouncer(Server):
    """PgBouncer as the pooler of a PostgreSQL server, with three connections to each database.

    Args:
        folder: The folder for its configuration and its log.
        server: The PostgreSQL server.
        mode: How long a client keeps a connection to the server: `session`, `transaction`, or `statement`.
    """

    name = "pgbouncer"
    end_signal = signal.SIGINT

    def __init__(self, folder: Path, server: Postgres, mode: str) -> None:
        super().__init__(folder)
        self._server = server
        self.config.write_text(f"""
[databases]
* = host={server.url.query["host"]} user={server.url.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 3
server_login_retry = 0.1
""")

    def command(self) -> list[str]:
        # PgBouncer doesn't run as root, and only the user of the server can access the folder of the server's socket.
        return [*(["-u", self._server.user] if self._server.user else []), str(self.config)]

    def url(self, place: str) -> str:
        """Return the URL of a database with the address of this pooler."""
        url = sa.make_url(place).set(host="127.0.0.1", port=self.port, query={})
        return url.render_as_string(hide_password=False)


class Varnish(Server):
    """Varnish as a cache that keeps each response for a second, and returns it as stale for an hour after that.

    Args:
        folder: The folder for its configuration and its log.
        backend: The port of the backend.
        receive: Statements of `vcl_recv` that run before the cache lookup.
    """

    name = "varnishd"

    def __init__(self, folder: Path, backend: int, receive: str = "") -> None:
        super().__init__(folder)
        self.config.write_text(f"""
vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{backend}"; }}
sub vcl_recv {{
    if (req.method != "GET") {{ return (pass); }}
    {receive}
    return (hash);
}}
sub vcl_backend_response {{
    set beresp.ttl = 1s;
    set beresp.grace = 1h;
    return (deliver);
}}
""")

    def command(self) -> list[str]:
        """Return arguments for a process in the foreground without a jail."""
        listen = f"127.0.0.1:{self.port}"
        return ["-F", "-j", "none", "-a", listen, "-f", str(self.config), "-n", str(self.folder / "varnish")]
