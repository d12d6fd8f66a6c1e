"""Sockets and connections for requests: the address guard and the limits, where bytes really flow.

Every connection resolves its host itself, connects only to addresses that the guard permits and looks once more at
the peer it got; every read obeys the fetch's deadline and byte budget, in headers as in bodies, plain or TLS. Leaves
redirects, retries and bodies to http.py.
"""

import socket
import ssl
import threading
import time
from functools import cache
from typing import Any

import certifi
from requests.adapters import HTTPAdapter
from urllib3 import PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.ssl_ import create_urllib3_context

from crawler.address_guard import AddressGuard
from crawler.errors import AddressRefused, BodyTooLarge

#: Status line and headers may take this many bytes of a fetch's budget beyond its body.
HEADER_BYTES = 256 * 1024


class FetchLimits(threading.local):
    """The running fetch's limits; each worker thread has its own."""

    deadline = float("inf")
    idle_seconds = 10.0
    bytes_left = float("inf")

    def start(self, seconds: float, idle_seconds: float, max_bytes: int) -> None:
        self.deadline = time.monotonic() + seconds
        self.idle_seconds = idle_seconds
        self.bytes_left = max_bytes + HEADER_BYTES

    def seconds_left(self) -> float:
        """How long the next read may take. Raises TimeoutError after the deadline."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("deadline passed")
        return min(left, self.idle_seconds)

    def count(self, received: int) -> None:
        self.bytes_left -= received
        if self.bytes_left < 0:
            raise BodyTooLarge("more bytes than allowed")


LIMITS = FetchLimits()


#: Linux alone has it. Without it our delayed ACK meets the server's Nagle: 40 ms lost on many small answers.
_QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)


class LimitedSocket(socket.socket):
    """A socket whose reads obey the running fetch's limits."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(LIMITS.seconds_left())
        if _QUICK_ACK is not None:
            self.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)
        received = super().recv_into(*args, **kwargs)
        LIMITS.count(received)
        return received


class LimitedTLSSocket(ssl.SSLSocket):
    """The same behind TLS."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(LIMITS.seconds_left())
        received = super().recv_into(*args, **kwargs)
        LIMITS.count(received)
        return received


def _connect_guarded(connection: HTTPConnection, guard: AddressGuard) -> socket.socket:
    """A connected socket to the first permitted address of the connection's host that answers."""
    host = connection._dns_host.strip("[]")
    port = connection.port or 0
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise NameResolutionError(host, connection, socket.gaierror(str(error))) from error
    permitted = [entry for entry in found if guard.permits(host, port, str(entry[4][0]))]
    if not permitted:
        raise AddressRefused(f"{host} is at {found[0][4][0]}" if found else f"{host} has no address")
    failure: OSError | None = None
    for family, kind, protocol, _, address in permitted:
        sock = LimitedSocket(family, kind, protocol)
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.settimeout(LIMITS.seconds_left())
            sock.connect(address)
            peer = str(sock.getpeername()[0])
            if not guard.permits(host, port, peer):
                raise AddressRefused(f"{host} is at {peer}")
            return sock
        except OSError as error:
            sock.close()
            failure = error
        except BaseException:
            sock.close()
            raise
    if isinstance(failure, TimeoutError):
        raise ConnectTimeoutError(connection, f"{host} did not answer in time") from failure
    raise NewConnectionError(connection, str(failure)) from failure


def _guarded_pools(guard: AddressGuard) -> dict[str, type[HTTPConnectionPool]]:
    """Pool classes by scheme whose connections go through the guard."""

    class GuardedConnection(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return _connect_guarded(self, guard)

    class GuardedTLSConnection(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return _connect_guarded(self, guard)

    class GuardedPool(HTTPConnectionPool):
        ConnectionCls = GuardedConnection

    class GuardedTLSPool(HTTPSConnectionPool):
        ConnectionCls = GuardedTLSConnection

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "ssl_context": tls_context(), "cert_reqs": "CERT_REQUIRED"})

    return {"http": GuardedPool, "https": GuardedTLSPool}


@cache
def tls_context() -> ssl.SSLContext:
    """One context for all connections: reading the root certificates takes longer than a request."""
    context = create_urllib3_context(cert_reqs=ssl.CERT_REQUIRED)
    context.sslsocket_class = LimitedTLSSocket
    context.load_default_certs()
    context.load_verify_locations(certifi.where())
    return context


class GuardedAdapter(HTTPAdapter):
    """requests' adapter over guarded connections; certificates are checked against the system's and certifi's roots."""

    def __init__(self, guard: AddressGuard, connections: int = 10) -> None:
        self._guard = guard
        super().__init__(pool_connections=connections, pool_maxsize=connections)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **pool_kwargs: Any) -> None:
        self.poolmanager = PoolManager(num_pools=connections, maxsize=maxsize, block=block, **pool_kwargs)
        self.poolmanager.pool_classes_by_scheme = _guarded_pools(self._guard)

    def build_connection_pool_key_attributes(
        self, request: Any, verify: Any, cert: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        host, _ = super().build_connection_pool_key_attributes(request, verify, cert)
        return host, {}

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """Nothing to set for each connection: `tls_context` always verifies."""
