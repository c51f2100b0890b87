"""Creates the clients of commands from environment variables. Credentials can't be command-line arguments."""

from __future__ import annotations

import os
import ssl
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from .._core.config.environments import SANDBOX, Environment, Group
from .._core.config.wire_names import WireNames
from .._core.http.wire.tls import ssl_context_of
from ..billing import BillingClient
from ..errors import ConfigurationError
from ..gateway import GatewayClient
from ..storefront import StorefrontClient
from ..user_mgmt import UserMgmtClient

IS_READ_ONLY: ContextVar[bool] = ContextVar("is_read_only", default=False)
"""Whether `--read-only` was passed."""
Client: TypeAlias = BillingClient | GatewayClient | StorefrontClient | UserMgmtClient


_KINDS: dict[Group, type[Client]] = {
    "billing": BillingClient,
    "gateway": GatewayClient,
    "user_mgmt": UserMgmtClient,
    "storefront": StorefrontClient,
}


@dataclass(frozen=True, kw_only=True)
class Connection:
    """The options that select the environment and the CA file of a command. Each field is one option."""

    environment: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Use this environment: sandbox, staging, production, or a name of your own. The command reads the "
            "environment's addresses and credentials only from the variables SUBSCRIBEKIT_NAME_...  "
            "(default: SUBSCRIBEKIT_ENVIRONMENT)",
        ),
    ] = None
    ca_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Trust only the certificate authorities (CAs) in this PEM file."),
    ] = None

    def named(self) -> str | None:
        """Return the name of the environment, or `None` if neither the option nor the variable is set."""
        return self.environment or os.environ.get("SUBSCRIBEKIT_ENVIRONMENT") or None

    def place(self) -> Environment:
        """Return the environment.

        Raises:
            ConfigurationError: No environment is named, or the name isn't valid.
        """
        name = self.named()
        if name is None:
            raise ConfigurationError(
                "no environment is named; set SUBSCRIBEKIT_ENVIRONMENT or pass --environment, for example "
                "--environment sandbox"
            )
        return SANDBOX if name == "sandbox" else Environment(name=name)

    def client(self, group: Group, place: Environment | None = None, *, read_only: bool = False) -> Client:
        """Create a client. If `read_only` is set, the client refuses writes.

        Raises:
            ConfigurationError: An address, a credential, or a file is missing or invalid.
        """
        place = self.place() if place is None else place
        # Allow plain HTTP to this machine only in custom environments, because the operator's environments are never on
        # this machine.
        return _KINDS[group](
            environment=place,
            ssl_context=self.context(),
            allow_insecure_loopback=place.name not in OPERATED,
            read_only=read_only or IS_READ_ONLY.get(),
        )

    def context(self) -> ssl.SSLContext | None:
        """Return the SSL context for `--ca-file`, or `None` if the option isn't set.

        Raises:
            ConfigurationError: The file can't be read, or contains no CA certificates in PEM format.
        """
        if self.ca_file is None:
            return None
        try:
            return ssl_context_of(str(self.ca_file))
        except ConfigurationError:
            problem = f"--ca-file: {self.ca_file} contains no CA certificates in PEM format"
            raise ConfigurationError(problem) from None


@dataclass(frozen=True, kw_only=True)
class NamingConnection(Connection):
    """Adds the option `--wire-name`, which sets wire names that the specification doesn't contain."""

    wire_name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=WIRE", help="Set a wire name that the specification doesn't contain. Repeatable."),
    ] = None

    def place(self) -> Environment:
        """Return the environment with the wire names that the user set with `--wire-name`.

        Raises:
            ConfigurationError: No environment is named, or the name isn't valid. A wire name isn't a field of
                `WireNames`, or the environment is the sandbox, which has its own wire names.
        """
        found = super().place()
        known = [each.name for each in fields(WireNames)]
        given: dict[str, str] = {}
        for each in self.wire_name or ():
            name, _, value = each.partition("=")
            if name not in known or not value:
                raise ConfigurationError(f"--wire-name must be NAME=WIRE; NAME is one of: {', '.join(known)}")
            given[name] = value
        if given and found is SANDBOX:
            raise ConfigurationError(
                "--wire-name can't be combined with the sandbox, which has its own wire names; leave --wire-name out"
            )
        return replace(found, wire_names=replace(found.wire_names or WireNames(), **given)) if given else found


OPERATED = ("production", "staging")
"""The environments of the operator."""
