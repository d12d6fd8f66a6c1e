"""Which addresses are refused, in all their spellings."""

import pytest

from crawler.address_guard import AddressGuard, is_public, parse_address

FORBIDDEN = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:10.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
]


@pytest.mark.parametrize("text", FORBIDDEN)
def test_special_addresses_are_never_public(text: str) -> None:
    address = parse_address(text)
    assert address is not None
    assert not is_public(address)
    assert not AddressGuard().permits("example.com", 80, text)


@pytest.mark.parametrize(
    "text", ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:8.8.8.8"]
)
def test_public_addresses_are_permitted(text: str) -> None:
    assert AddressGuard().permits("example.com", 443, text)


def test_a_named_host_may_be_private_but_no_other_name_for_it() -> None:
    guard = AddressGuard(["127.0.0.1", "Staging.Example.com", "[::1]:8000", "10.0.0.5:81"])
    assert guard.permits("127.0.0.1", 80, "127.0.0.1")
    assert guard.permits("staging.example.com", 80, "10.1.2.3")
    assert guard.permits("staging.example.com", 80, "100.64.3.3")
    assert guard.permits("::1", 8000, "::1")
    assert guard.permits("10.0.0.5", 81, "10.0.0.5")
    assert not guard.permits("::1", 8001, "::1")
    assert not guard.permits("10.0.0.5", 80, "10.0.0.5")
    assert not guard.permits("localhost", 80, "127.0.0.1")
    assert not guard.permits("evil.example", 80, "127.0.0.1")
    assert not guard.permits("127.0.0.2", 80, "127.0.0.2")


def test_a_named_host_does_not_open_the_metadata_service() -> None:
    guard = AddressGuard(["staging.example.com"])
    for text in ("169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "224.0.0.1", "0.0.0.0", "fd00:ec2::254"):
        assert not guard.permits("staging.example.com", 80, text)
    assert AddressGuard(["169.254.169.254"]).permits("169.254.169.254", 80, "169.254.169.254")


def test_what_is_no_address_is_refused() -> None:
    assert not AddressGuard(["x"]).permits("x", 80, "not-an-address")
