"""Export files as WordPress writes them, and as they should not be: what is read, what is refused, what is said."""

import gzip
import io
import resource

import pytest

from crawler.sources.wxr_parser import WxrBroken, WxrFile, WxrPost, read_wxr

HEAD = """<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.5" -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
    xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Blog</title><link>https://blog.example</link><language>de-DE</language>
<wp:base_site_url>https://network.example</wp:base_site_url><wp:base_blog_url>https://blog.example</wp:base_blog_url>
"""
TAIL = "</channel></rss>"


def item(number: int, content: str, *, status: str = "publish", password: str = "", title: str = "A title") -> str:
    return f"""<item><title><![CDATA[{title}]]></title><link>https://blog.example/post-{number}/</link>
<content:encoded><![CDATA[{content}]]></content:encoded><excerpt:encoded><![CDATA[An excerpt]]></excerpt:encoded>
<wp:post_id>{number}</wp:post_id><wp:post_modified_gmt><![CDATA[2024-01-02 03:04:05]]></wp:post_modified_gmt>
<wp:post_name><![CDATA[post-{number}]]></wp:post_name><wp:status><![CDATA[{status}]]></wp:status>
<wp:post_type><![CDATA[post]]></wp:post_type><wp:post_password><![CDATA[{password}]]></wp:post_password></item>
"""


def parse(data: str | bytes) -> tuple[list[WxrPost], WxrFile]:
    file = WxrFile()
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return list(read_wxr(stream, file)), file


def test_posts_are_read_with_all_that_is_said_of_them() -> None:
    posts, file = parse(HEAD + item(7, "<p>Text</p>") + item(8, "Secret", status="draft", password="x") + TAIL)
    assert (file.site_url, file.language, file.problem) == ("https://blog.example", "de-DE", "")
    first, second = posts
    assert (first.number, first.link, first.content) == (7, "https://blog.example/post-7/", "<p>Text</p>")
    assert (first.kind, first.status, first.modified) == ("post", "publish", "2024-01-02 03:04:05")
    assert (second.status, second.is_protected, first.is_protected) == ("draft", True, False)


def test_control_characters_are_left_out_wherever_they_stand() -> None:
    broken = HEAD + item(1, "A bell\x08 and \x00\x1f more\x0b") + "<title>&#8;&#x1F;</title>" + item(2, "x") + TAIL
    posts, file = parse(broken)
    assert [post.content for post in posts] == ["A bell and  more", "x"]
    assert file.problem == ""


def test_the_end_of_cdata_in_a_text_survives() -> None:
    posts, _ = parse(HEAD + item(1, "a ]]]]><![CDATA[> b") + TAIL)
    assert posts[0].content == "a ]]> b"


def test_a_packed_file_is_read_and_a_damaged_one_is_said_to_be() -> None:
    whole = (HEAD + "".join(item(n, f"Text {n} " * 50) for n in range(200)) + TAIL).encode()
    packed = gzip.compress(whole)
    assert len(parse(packed)[0]) == 200
    posts, file = parse(packed[: len(packed) * 2 // 3])
    assert 0 < len(posts) < 200
    assert "gzip" in file.problem


@pytest.mark.parametrize("cut", [TAIL, "post_password><![CDATA[]]></wp:post_password></item>\n" + TAIL, "excerpt"])
def test_a_file_that_is_cut_off_is_read_to_its_fault(cut: str) -> None:
    whole = HEAD + item(1, "One") + item(2, "Two") + TAIL
    posts, file = parse(whole[: whole.rindex(cut)])
    assert [post.content for post in posts][:1] == ["One"]
    assert file.problem


def test_a_name_that_no_one_defined_spoils_nothing() -> None:
    posts, file = parse(HEAD + "<description>A&nbsp;b &copy;</description>" + item(1, "One") + TAIL)
    assert ([post.content for post in posts], file.problem) == (["One"], "")


@pytest.mark.parametrize(
    "data",
    [
        "",
        "Just a text",
        "<html><body>A page</body></html>",
        '<rss version="2.0"><channel><item><title>News</title></item></channel></rss>',
        '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>' + HEAD.split("?>", 1)[1] + TAIL,
        '<!DOCTYPE rss SYSTEM "http://127.0.0.1:1/x.dtd">' + HEAD.split("?>", 1)[1] + item(1, "x") + TAIL,
        HEAD.encode("utf-16"),
    ],
)
def test_what_is_no_export_is_refused(data: str | bytes) -> None:
    with pytest.raises(WxrBroken):
        parse(data)


def test_memory_stays_flat_however_long_the_file_is() -> None:
    class Endless(io.RawIOBase):
        """Forty megabytes of posts that stand nowhere at once."""

        def __init__(self) -> None:
            self.sent = 0

        def read(self, size: int = -1) -> bytes:
            self.sent += 1
            if self.sent == 1:
                return HEAD.encode()
            return item(self.sent, "A sentence of the post. " * 2000).encode() if self.sent < 800 else b""

        def seek(self, offset: int, whence: int = 0) -> int:
            self.sent = 0
            return 0

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count = sum(1 for _ in read_wxr(Endless(), WxrFile()))  # type: ignore[arg-type]
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert count == 798
    assert grown < 15


@pytest.mark.parametrize("padding", [b"", b"<!-- " + b"x" * 70_000 + b" -->", b"<!-- <rss -->", b"<?note <rss ?>\n"])
def test_a_document_type_is_found_wherever_it_stands(padding: bytes) -> None:
    entities = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 9))
    bomb = b'<?xml version="1.0"?>' + padding + b'<!DOCTYPE rss [<!ENTITY e0 "x">' + entities + b"]>"
    bomb += b'<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><item z="&e8;"/></channel></rss>'
    with pytest.raises(WxrBroken, match="document type"):
        list(read_wxr(io.BytesIO(bomb), WxrFile()))
