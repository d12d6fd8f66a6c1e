"""Which network addresses may be connected to. Leaves connecting to guarded_transport.

Whoever enters a start URL, and whoever writes a link or a redirect on a crawled page, chooses where this machine
connects to. So only public addresses are allowed, judged on the address that is really connected to, except hosts
that the person who runs the product named in LINKREC_ALLOWED_PRIVATE_HOSTS.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

#: The well-known prefix alone: under the local one (64:ff9b:1::/48) the place of the IPv4 address is not known.
_NAT64 = IPv6Network("64:ff9b::/96")
#: The interface identifiers of ISATAP, whose last 32 bits are an IPv4 address.
_ISATAP = frozenset({0x5EFE, 0x02005EFE})
#: All that is given out of IPv6 as unicast to the open internet; whatever else there is, is special.
_IPV6_UNICAST = IPv6Network("2000::/3")
#: Protocol assignments: Python's own table calls most of them global, and one cloud has its metadata service here.
_IPV4_PROTOCOLS = IPv4Network("192.0.0.0/24")
#: Public by number, but the cloud provider's own metadata and agent services.
_METADATA = frozenset({IPv4Address("168.63.129.16"), IPv4Address("100.100.100.200"), IPv6Address("fd00:ec2::254")})


def unwrap(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address inside a mapped, compatible, 6to4, Teredo, ISATAP or NAT64 one; any other as it is."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address.sixtofour:
        return address.sixtofour
    if address.teredo:
        return address.teredo[1]
    is_compatible = int(address) >> 32 == 0 and int(address) > 1
    is_isatap = (int(address) >> 32) & 0xFFFFFFFF in _ISATAP
    if is_compatible or is_isatap or address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """The address that `text` (perhaps with a zone) spells; None where it is a name."""
    try:
        return ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether the address is one of the open internet."""
    inner = unwrap(address)
    if inner in _METADATA or not inner.is_global or inner.is_multicast or inner.is_reserved:
        return False
    return inner in _IPV6_UNICAST if isinstance(inner, IPv6Address) else inner not in _IPV4_PROTOCOLS


def is_local_network(address: IPv4Address | IPv6Address) -> bool:
    """Loopback and private ranges: what a named host may stand for. Link-local (metadata services) is not."""
    inner = unwrap(address)
    is_odd = inner.is_link_local or inner.is_multicast or inner.is_unspecified or inner.is_reserved
    return not inner.is_global and not is_odd and inner not in _METADATA


class AddressGuard:
    """Answers whether a URL's host may be reached at an address."""

    def __init__(self, allowed_private_hosts: Iterable[str] = ()) -> None:
        self._allowed = frozenset(_spell(entry) for entry in allowed_private_hosts)

    def is_named(self, host: str, port: int) -> bool:
        """Whether the host, or host:port, was named as allowed. The name in the URL counts, not what it resolves to."""
        spelled = _spell(host)
        return spelled in self._allowed or f"{spelled}|{port}" in self._allowed

    def permits(self, host: str, port: int, address_text: str) -> bool:
        """Whether `host`, as written in the URL, may be connected to at this address."""
        address = parse_address(address_text)
        if address is None:
            return False
        if is_public(address):
            return True
        if not self.is_named(host, port):
            return False
        return is_local_network(address) or parse_address(host) == address


def _spell(entry: str) -> str:
    """`host` or `host|port`, lower case, IPv6 compressed and without brackets."""
    text = entry.strip().lower().removesuffix(".")
    if address := parse_address(text):
        return str(address)
    host, separator, port = text.rpartition(":")
    if separator and port.isdigit():
        return f"{_spell(host)}|{int(port)}"
    return text
