"""Which addresses of the network may be fetched from: public ones, and those that were allowed by name."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Addresses that carry another inside; nothing that can be fetched needs them.
TUNNELS = (ipaddress.IPv6Network("2001::/32"), ipaddress.IPv6Network("2002::/16"))

WEB_PORTS = (80, 443)
FIRST_FREE_PORT = 1024
# Above 1023, the ports that browsers refuse too: a request there would be read as something other than HTTP.
BAD_PORTS = frozenset(
    (1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080)
)


class Allowed:
    """`entries` are networks (`10.1.0.0/16`), addresses or names whose addresses and ports are all allowed."""

    def __init__(self, entries: Sequence[str] = ()) -> None:
        self._networks: list[Network] = []
        self._names: set[str] = set()
        for entry in filter(None, (entry.strip() for entry in entries)):
            try:
                self._networks.append(ipaddress.ip_network(entry.strip("[]"), strict=False))
            except ValueError:
                self._names.add(bare(entry))

    def includes(self, host: str, address: Address) -> bool:
        """Whether an address was allowed, itself or by the name that led to it."""
        if self.names(host):
            return True
        return any(
            one.version == network.version and one in network
            for one in {address, inner(address)}
            for network in self._networks
        )

    def names(self, host: str) -> bool:
        """Whether a host was allowed by its name."""
        return bare(host) in self._names

    def may_reach(self, host: str, address: Address, port: int) -> bool:
        return self.includes(host, address) or (is_public(address) and is_for_web(port))


def inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 address stands for, where it does; else the address."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def is_public(address: Address) -> bool:
    one = inner(address)
    if isinstance(one, ipaddress.IPv6Address) and not (
        one in GLOBAL_UNICAST and all(one not in tunnel for tunnel in TUNNELS)
    ):
        return False
    return one.is_global and not one.is_multicast and not one.is_reserved


def is_for_web(port: int) -> bool:
    return port in WEB_PORTS or (port >= FIRST_FREE_PORT and port not in BAD_PORTS)


def bare(host: str) -> str:
    return host.casefold().rstrip(".")
