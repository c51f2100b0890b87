"""TLS contexts: the shared one, and the check of one that was given.

`truststore.inject_into_ssl()` puts its own class in the place of `ssl.SSLContext`: contexts of that class trust what
the machine trusts, and the setters of contexts of the standard library call themselves without end. The SDK takes the
class of the standard library and the setters below it.
"""

import ssl
import sys
import weakref
from typing import cast

from ....errors import ConfigurationError
from ..network_errors import ConnectError

__tracebackhide__ = True  # pytest shows the line of the caller instead

_PROTOCOLS = ["http/1.1"]
_SOCKET_LIBRARIES = frozenset({"ssl", "gevent", "eventlet"})
"""Whose sockets only read and write: those of green threads are in the place of the standard library's."""
_contexts: list[ssl.SSLContext] = []
_IGNORE_CUT: int = getattr(ssl, "OP_IGNORE_UNEXPECTED_EOF", 0)
"""OpenSSL 3 has this option. Debian 12 sets it for all contexts of its Python."""
_BASE = cast("type[ssl.SSLContext]", vars(ssl)["_SSLContext"])  # the class of OpenSSL's binding, below all others
ORIGINAL: type[ssl.SSLContext] = next(
    (each for each in _BASE.__subclasses__() if each.__module__ == "ssl"), ssl.SSLContext
)
"""The class of the standard library, whatever is in its place; in a browser there is only a stand-in for it."""
_asking: weakref.WeakSet[ssl.SSLContext] = weakref.WeakSet()

_files: weakref.WeakKeyDictionary[ssl.SSLContext, str] = weakref.WeakKeyDictionary()
"""The files that contexts of the SDK were made of."""


def shared_ssl_context() -> ssl.SSLContext:
    """The verifying TLS context that all clients share, made at first use (it takes 15 ms)."""
    # Without a lock, for which a signal's handler, or a child forked meanwhile, would wait for ever (H193). Of contexts
    # that are made at once the first one counts.
    if not _contexts:
        import certifi  # of no use over plain HTTP, and it brings much along

        _contexts.append(_trusting(certifi.where()))
    return _contexts[0]


def _trusting(ca_file: str) -> ssl.SSLContext:
    """Trust a file as `ssl.create_default_context` does, but open nothing that the environment names (H26)."""
    context = ORIGINAL(ssl.PROTOCOL_TLS_CLIENT)
    if sys.version_info >= (3, 13):
        _set(context, "verify_flags", context.verify_flags | ssl.VERIFY_X509_PARTIAL_CHAIN | ssl.VERIFY_X509_STRICT)
    context.load_verify_locations(ca_file)
    return _prepared(context)


def _set(context: ssl.SSLContext, name: str, value: int) -> None:
    """Set an attribute, below the standard library's setter where the context has that (H373)."""
    below = getattr(type(context), name) is getattr(ORIGINAL, name)
    cast("property", getattr(_BASE if below else type(context), name)).__set__(context, value)


def ssl_context_of(ca_file: str) -> ssl.SSLContext:
    """Make a verifying context that trusts the certificates of a file and no others.

    Raises:
        ConfigurationError: It cannot be read, or holds no certificate.
    """
    try:
        context = _trusting(ca_file)
    except (OSError, TypeError) as error:  # ssl.SSLError is an OSError
        raise ConfigurationError(
            f"the file of certificates to trust (ca_file, ..._CA_FILE) cannot be used: {ca_file!r}"
        ) from error
    _files[context] = ca_file
    return context


def trust_of(context: ssl.SSLContext | None) -> str:
    """Say whose certificates a context trusts, for people; `None` is the shared context."""
    if context is None:
        return "certifi"
    if type(context).__module__.partition(".")[0] == "truststore":
        return "the machine's, by truststore"
    return _files.get(context, "the given ssl_context")


def _prepared(context: ssl.SSLContext) -> ssl.SSLContext:
    """Set the least version if none is chosen, as some builds of Python leave it open; ask for HTTP/1.1.

    A host is what a certificate has as an alternative name: its common name is no address (RFC 9525, H356). Some builds
    of Python report a connection that was cut as one that ended with `close_notify`; the option is cleared (H420).
    """
    if ssl.HAS_NEVER_CHECK_COMMON_NAME:
        context.hostname_checks_common_name = False
    if context.minimum_version is ssl.TLSVersion.MINIMUM_SUPPORTED:
        _set(context, "minimum_version", ssl.TLSVersion.TLSv1_2)
    if context.options & _IGNORE_CUT:
        _set(context, "options", context.options & ~_IGNORE_CUT)
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
    """Refuse a context that does not verify, and change the given one as `_prepared` says.

    Raises:
        ConfigurationError: No certificate check, no host name check, TLS below 1.2, or its own checks in a place
            that is passed by.
    """
    if not isinstance(context, ORIGINAL):
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
    return method in vars(context) or getattr(type(context), method) is not getattr(ORIGINAL, method)
