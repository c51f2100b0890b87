"""Creates the shared TLS context, and checks the contexts of callers.

`truststore.inject_into_ssl()` replaces `ssl.SSLContext` with truststore's class, whose contexts trust the machine's
certificates. After truststore replaces `ssl.SSLContext`, the setters of the standard library's contexts call
themselves in an endless recursion. To avoid the recursion, the SDK uses the standard library's original class, and the
setters of its base class.
"""

import ssl
import sys
import weakref
from typing import cast

from ....errors import ConfigurationError
from ..network_errors import ConnectError

__tracebackhide__ = True  # pytest hides this module's frames and shows the line that passed the invalid argument

_PROTOCOLS = ["http/1.1"]
_SOCKET_LIBRARIES = frozenset({"ssl", "gevent", "eventlet"})
"""Libraries whose TLS socket classes add no checks of certificates, including gevent and eventlet, which replace the
socket class in `ssl`."""
_contexts: list[ssl.SSLContext] = []
_IGNORE_CUT: int = getattr(ssl, "OP_IGNORE_UNEXPECTED_EOF", 0)
"""The OpenSSL 3 option that treats a cut connection as a normal end of the data. Python on Debian 12 sets the option
for all TLS contexts."""
_BASE = cast("type[ssl.SSLContext]", vars(ssl)["_SSLContext"])  # `_ssl` defines the base class of all TLS contexts
ORIGINAL: type[ssl.SSLContext] = next(
    (each for each in _BASE.__subclasses__() if each.__module__ == "ssl"), ssl.SSLContext
)
"""The `SSLContext` class of the standard library, even if another library has replaced `ssl.SSLContext`.

In a browser, Python has only a substitute for `ssl`.
"""
_with_alpn: weakref.WeakSet[ssl.SSLContext] = weakref.WeakSet()

_files: weakref.WeakKeyDictionary[ssl.SSLContext, str] = weakref.WeakKeyDictionary()
"""The CA files of the contexts that the SDK created."""


def shared_ssl_context() -> ssl.SSLContext:
    """Return the verifying TLS context that all clients share.

    The first call creates the context, which takes 15 ms.
    """
    # Don't use a lock, because a signal handler or a forked child could wait for it forever (H193). If two threads
    # create a context at the same time, all later calls use the first context.
    if not _contexts:
        import certifi  # certifi is imported here, because it's large and plain HTTP doesn't need it

        _contexts.append(_trusting(certifi.where()))
    return _contexts[0]


def _trusting(ca_file: str) -> ssl.SSLContext:
    """Create a context like `ssl.create_default_context`, but ignore CA files in environment variables (H26)."""
    context = ORIGINAL(ssl.PROTOCOL_TLS_CLIENT)
    if sys.version_info >= (3, 13):
        _set(context, "verify_flags", context.verify_flags | ssl.VERIFY_X509_PARTIAL_CHAIN | ssl.VERIFY_X509_STRICT)
    context.load_verify_locations(ca_file)
    return _prepared(context)


def _set(context: ssl.SSLContext, name: str, value: int) -> None:
    """Set an attribute with the setter of the base class, unless the context's class has its own setter (H373)."""
    below = getattr(type(context), name) is getattr(ORIGINAL, name)
    cast("property", getattr(_BASE if below else type(context), name)).__set__(context, value)


def ssl_context_of(ca_file: str) -> ssl.SSLContext:
    """Create a verifying context that trusts only the certificates in a file.

    Raises:
        ConfigurationError: The CA file can't be read, or doesn't contain a certificate.
    """
    try:
        context = _trusting(ca_file)
    except (OSError, TypeError) as error:  # ssl.SSLError is an OSError
        raise ConfigurationError(
            f"the CA file (ca_file, ..._CA_FILE) can't be read as PEM certificates: {ca_file!r}"
        ) from error
    _files[context] = ca_file
    return context


def trust_of(context: ssl.SSLContext | None) -> str:
    """Return a description of the certificates that a context trusts. For the shared context, pass `None`."""
    if context is None:
        return "certifi"
    if type(context).__module__.partition(".")[0] == "truststore":
        return "the machine's certificates (truststore)"
    return _files.get(context, "the given ssl_context")


def _prepared(context: ssl.SSLContext) -> ssl.SSLContext:
    """Set a context's minimum TLS version and protocol (HTTP/1.1), and make the context's checks stricter.

    Some builds of Python set no minimum TLS version. A certificate must contain the host as an alternative name,
    because RFC 9525 doesn't allow clients to check the common name (H356). The SDK clears the option that hides cut
    connections, because a cut connection would otherwise look like a connection that the peer ended with
    `close_notify` (H420).
    """
    if ssl.HAS_NEVER_CHECK_COMMON_NAME:
        context.hostname_checks_common_name = False
    if context.minimum_version is ssl.TLSVersion.MINIMUM_SUPPORTED:
        _set(context, "minimum_version", ssl.TLSVersion.TLSv1_2)
    if context.options & _IGNORE_CUT:
        _set(context, "options", context.options & ~_IGNORE_CUT)
    # Call `set_alpn_protocols` only once, because it frees memory that another thread may be copying to open a
    # connection (H195).
    if context not in _with_alpn:
        context.set_alpn_protocols(_PROTOCOLS)
        _with_alpn.add(context)
    return context


def check_protocol(tls: ssl.SSLObject) -> None:
    """Check that a connection uses HTTP/1.1, or reset the context for the next connection and raise an error.

    Raises:
        ConnectError: Other code has changed the protocols of the TLS context.
    """
    if tls.selected_alpn_protocol() not in (None, *_PROTOCOLS):
        tls.context.set_alpn_protocols(_PROTOCOLS)
        raise ConnectError("other code changed the protocols of the TLS context")


def checks_certificates(context: object) -> bool:
    """Return whether a context of any class, such as truststore's, verifies certificates and host names."""
    return getattr(context, "verify_mode", None) == ssl.CERT_REQUIRED and bool(getattr(context, "check_hostname", None))


def check_ssl_context(context: ssl.SSLContext) -> ssl.SSLContext:
    """Check a caller's TLS context, change the context's settings like `_prepared`, and return the context.

    Raises:
        ConfigurationError: The argument isn't an `ssl.SSLContext`, or allows TLS versions before 1.2. The SDK also
            raises `ConfigurationError` if the context doesn't verify certificates and host names, or has its own checks
            in a socket class, which the SDK doesn't use.
    """
    if not isinstance(context, ORIGINAL):
        raise ConfigurationError("ssl_context must be an ssl.SSLContext")
    if _has_sockets_of_its_own(context):
        raise ConfigurationError(
            "ssl_context has its own wrap_socket or sslsocket_class, which the SDK doesn't use; move its checks to an "
            "sslobject_class, because the SDK opens connections with wrap_bio"
        )
    if not checks_certificates(context):
        raise ConfigurationError(
            "ssl_context must verify certificates and host names; set verify_mode=ssl.CERT_REQUIRED and "
            "check_hostname=True"
        )
    if _prepared(context).minimum_version not in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        raise ConfigurationError(
            "ssl_context must require at least TLS 1.2; set minimum_version=ssl.TLSVersion.TLSv1_2"
        )
    return context


def _has_sockets_of_its_own(context: ssl.SSLContext) -> bool:
    """Return whether a context has checks that `wrap_bio` would skip, such as a pin in `do_handshake` (H213)."""
    if _is_own(context, "wrap_bio") or context.sslobject_class is not ssl.SSLObject:
        return False
    library = context.sslsocket_class.__module__.partition(".")[0]
    return _is_own(context, "wrap_socket") or library not in _SOCKET_LIBRARIES


def _is_own(context: ssl.SSLContext, method: str) -> bool:
    return method in vars(context) or getattr(type(context), method) is not getattr(ORIGINAL, method)
