"""Clients made from the variables of the SDK: no credential comes from the command line."""

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
"""Whether the command line was given `--read-only`."""
Client: TypeAlias = BillingClient | GatewayClient | StorefrontClient | UserMgmtClient


_KINDS: dict[Group, type[Client]] = {
    "billing": BillingClient,
    "gateway": GatewayClient,
    "user_mgmt": UserMgmtClient,
    "storefront": StorefrontClient,
}


@dataclass(frozen=True, kw_only=True)
class Connection:
    """Where a command's calls go: its fields are options of the command."""

    environment: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Where the call goes: sandbox, staging, production or your own name; its addresses and credentials "
            "come from the variables SUBSCRIBEKIT_NAME_... only.  (default: SUBSCRIBEKIT_ENVIRONMENT)",
        ),
    ] = None
    ca_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Trust these certificate authorities (PEM) instead of the usual."),
    ] = None

    def named(self) -> str | None:
        """Give the name of the environment, if one is named."""
        return self.environment or os.environ.get("SUBSCRIBEKIT_ENVIRONMENT") or None

    def place(self) -> Environment:
        """Give the environment.

        Raises:
            ConfigurationError: None is named, or the name cannot be one.
        """
        name = self.named()
        if name is None:
            raise ConfigurationError(
                "say which environment to use: set SUBSCRIBEKIT_ENVIRONMENT or give --environment, for example "
                "--environment sandbox; there is no default"
            )
        return SANDBOX if name == "sandbox" else Environment(name=name)

    def client(self, group: Group, place: Environment | None = None, *, read_only: bool = False) -> Client:
        """Make a client; `read_only` for a command that only reads.

        Raises:
            ConfigurationError: An address, a credential or a file is missing or not usable.
        """
        place = self.place() if place is None else place
        # Your own environment may be a server on this machine; the operator's never is.
        return _KINDS[group](
            environment=place,
            ssl_context=self.context(),
            allow_insecure_loopback=place.name not in OPERATED,
            read_only=read_only or IS_READ_ONLY.get(),
        )

    def context(self) -> ssl.SSLContext | None:
        """Give what verifies certificates, if a file is named.

        Raises:
            ConfigurationError: The file cannot be used.
        """
        if self.ca_file is None:
            return None
        try:
            return ssl_context_of(str(self.ca_file))
        except ConfigurationError:
            told = f"--ca-file: {self.ca_file} holds no certificate authorities in PEM format"
            raise ConfigurationError(told) from None


@dataclass(frozen=True, kw_only=True)
class NamingConnection(Connection):
    """Where calls go that may need names that the specification does not show."""

    wire_name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=WIRE", help="A name that the specification does not show; see WireNames."),
    ] = None

    def place(self) -> Environment:
        """Give the environment with these names.

        Raises:
            ConfigurationError: As `Connection.place`; or a name is not one of `WireNames`.
        """
        found = super().place()
        known = [each.name for each in fields(WireNames)]
        given: dict[str, str] = {}
        for each in self.wire_name or ():
            name, _, value = each.partition("=")
            if name not in known or not value:
                raise ConfigurationError(f"--wire-name must be NAME=WIRE, with one of: {', '.join(known)}")
            given[name] = value
        if given and found is SANDBOX:
            raise ConfigurationError("--wire-name is for an environment of yours: the sandbox knows its own names only")
        return replace(found, wire_names=replace(found.wire_names or WireNames(), **given)) if given else found


OPERATED = ("production", "staging")
"""The environments of the operator."""
