"""TLS contexts: the shared one, and the check of one that was given."""

import ssl
import weakref

from ....errors import ConfigurationError
from ..network_errors import ConnectError

__tracebackhide__ = True  # pytest shows the line of the caller instead

_PROTOCOLS = ["http/1.1"]
_SOCKET_LIBRARIES = frozenset({"ssl", "gevent", "eventlet"})
"""Whose sockets only read and write: those of green threads are in the place of the standard library's."""
_contexts: list[ssl.SSLContext] = []
_asking: weakref.WeakSet[ssl.SSLContext] = weakref.WeakSet()


def shared_ssl_context() -> ssl.SSLContext:
    """The verifying TLS context that all clients share, made at first use (it takes 15 ms)."""
    # Without a lock, for which a signal's handler, or a child forked meanwhile, would wait for ever (H193). Of contexts
    # that are made at once the first one counts.
    if not _contexts:
        import certifi  # of no use over plain HTTP, and it brings much along

        # With its own file, so that no variable of the environment names another (H26).
        context = _prepared(ssl.create_default_context(cafile=certifi.where()))
        # The standard library has opened what SSLKEYLOGFILE names, to write the keys of all connections (H26).
        context.keylog_filename = None  # type: ignore[assignment]  # typeshed does not know that None ends it
        _contexts.append(context)
    return _contexts[0]


def ssl_context_of(ca_file: str) -> ssl.SSLContext:
    """Make a verifying context that trusts the certificates of a file and no others.

    Raises:
        ConfigurationError: It cannot be read, or holds no certificate.
    """
    try:
        context = ssl.create_default_context(cafile=ca_file)
    except (OSError, TypeError) as error:  # ssl.SSLError is an OSError
        raise ConfigurationError(
            f"the file of certificates to trust (ca_file, ..._CA_FILE) cannot be used: {ca_file!r}"
        ) from error
    context.keylog_filename = None  # type: ignore[assignment]  # as above
    return _prepared(context)


def _prepared(context: ssl.SSLContext) -> ssl.SSLContext:
    """Set the least version if none is chosen, as some builds of Python leave it open; ask for HTTP/1.1."""
    if context.minimum_version is ssl.TLSVersion.MINIMUM_SUPPORTED:
        context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Once: another thread that opens a connection copies the names from memory that this frees (H195).
    if context not in _asking:
        context.set_alpn_protocols(_PROTOCOLS)
        _asking.add(context)
    return context


def check_protocol(tls: ssl.SSLObject) -> None:
    """Refuse a connection on which the service expects another protocol; the next one asks for HTTP/1.1 again.

    Raises:
        ConnectError: Other code has changed the TLS context.
    """
    if tls.selected_alpn_protocol() not in (None, *_PROTOCOLS):
        tls.context.set_alpn_protocols(_PROTOCOLS)
        raise ConnectError("the TLS context asked for another protocol")


def checks_certificates(context: object) -> bool:
    """Whether connections with a context check certificates and host names; `truststore` has contexts of its own."""
    return getattr(context, "verify_mode", None) == ssl.CERT_REQUIRED and bool(getattr(context, "check_hostname", None))


def check_ssl_context(context: ssl.SSLContext) -> ssl.SSLContext:
    """Refuse a context that does not verify; one that leaves the least version open gets TLS 1.2.

    Raises:
        ConfigurationError: No certificate check, no host name check, TLS below 1.2, or its own checks in a place
            that is passed by.
    """
    if not isinstance(context, ssl.SSLContext):
        raise ConfigurationError("ssl_context must be an ssl.SSLContext")
    if _has_sockets_of_its_own(context):
        raise ConfigurationError(
            "ssl_context has a wrap_socket or its own sslsocket_class, which would not be used: connections are "
            "made with wrap_bio, so put what it checks into an sslobject_class"
        )
    if not checks_certificates(context):
        raise ConfigurationError("ssl_context must check certificates and host names")
    if _prepared(context).minimum_version not in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        raise ConfigurationError("ssl_context must have a minimum_version of at least TLS 1.2")
    return context


def _has_sockets_of_its_own(context: ssl.SSLContext) -> bool:
    """Whether what an application checks would be skipped, such as a pin in `do_handshake` (H213)."""
    if _is_own(context, "wrap_bio") or context.sslobject_class is not ssl.SSLObject:
        return False
    library = context.sslsocket_class.__module__.partition(".")[0]
    return _is_own(context, "wrap_socket") or library not in _SOCKET_LIBRARIES


def _is_own(context: ssl.SSLContext, method: str) -> bool:
    return method in vars(context) or getattr(type(context), method) is not getattr(ssl.SSLContext, method)
