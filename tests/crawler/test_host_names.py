"""International host names, read."""

import pytest

from crawler.host_names import readable_host


@pytest.mark.parametrize(
    ("host", "readable"),
    [
        ("workshop.example", "workshop.example"),
        ("xn--mnchen-3ya.example", "münchen.example"),
        ("www.xn--fsq.xn--fiqs8s", "www.例.中国"),
        ("xn--.example", "xn--.example"),
        ("xn--999999999.example", "xn--999999999.example"),
        ("xn--a/b-x.example", "xn--a/b-x.example"),
    ],
)
def test_hosts_are_decoded_where_that_is_safe(host: str, readable: str) -> None:
    assert readable_host(host) == readable
