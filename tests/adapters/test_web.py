"""Fetching from real servers on loopback, many of them hostile."""

from __future__ import annotations

import asyncio
import datetime
import gzip
import ipaddress
import ssl
import zlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from loopback import Loopback, loopback, page, redirect
from quire.adapters.addresses import Allowed
from quire.adapters.readers.sniffing import HEAD
from quire.adapters.web import Patience, Web
from quire.domain.errors import InvalidInput, QuireError, TooLarge, Upstream
from quire.ports.documents import FetchedPage

pytestmark = pytest.mark.anyio

HERE = ("127.0.0.1/32",)
HASTE = Patience(connect=5, silence=5, total=0.5)


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with loopback() as made:
        yield made


class Names:
    """A resolver of the test's own, which counts what it is asked."""

    def __init__(self, **names: Sequence[str]) -> None:
        self.names = {name.replace("_", "."): list(addresses) for name, addresses in names.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str) -> list[str]:
        self.asked.append(host)
        if host not in self.names:
            raise OSError("no such name")
        return self.names[host]


async def body(fetched: FetchedPage) -> bytes:
    return b"".join([chunk async for chunk in fetched.file.chunks()])


async def refused(web: Web, url: str) -> QuireError:
    with pytest.raises(QuireError) as caught:
        await web.fetch(url)
    return caught.value


async def reason(web: Web, url: str) -> str:
    return str((await refused(web, url)).details.get("reason"))


async def test_a_page_comes_with_its_name_its_type_and_where_it_was(server: Loopback) -> None:
    server.paths = {"/a/paper": redirect("/b/caf%C3%A9?x=1#top"), "/b/caf%C3%A9": page(b"<p>Hello</p>")}
    fetched = await Web(HERE).fetch(server.url("/a/paper"))
    assert fetched.url == server.url("/b/caf%C3%A9?x=1#top")
    assert (fetched.media_type, fetched.file.name, fetched.file.size) == ("text/html", "café.html", 12)
    assert await body(fetched) == b"<p>Hello</p>"
    assert [seen.line for seen in server.seen] == ["GET /a/paper HTTP/1.1", "GET /b/caf%C3%A9?x=1 HTTP/1.1"]
    assert "Quire" in server.seen[0].headers["user-agent"]
    assert server.seen[0].headers["host"] == f"127.0.0.1:{server.port}"


@pytest.mark.parametrize(
    ("path", "headers", "media_type", "name"),
    [
        ("/", (), "text/html; charset=utf-8", "page.html"),
        ("/read", (), "application/pdf", "read.pdf"),
        ("/v1.2", (), "text/markdown", "v1.2.md"),
        ("/get.php", ('Content-Disposition: attachment; filename="../../etc/x.csv"',), "text/csv", "_.._etc_x.csv"),
        ("/x", ("Content-Disposition: attachment; filename*=UTF-8''%e2%82%ac.txt",), "text/plain", "€.txt"),
    ],
)
async def test_a_file_is_named_by_its_server_and_its_type(
    server: Loopback, path: str, headers: tuple[str, ...], media_type: str, name: str
) -> None:
    server.paths[path] = page(b"words", *headers, media_type=media_type)
    assert (await Web(HERE).fetch(server.url(path))).file.name == name


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "invalid_url"),
        ("nonsense", "invalid_url"),
        ("//example.com/", "invalid_url"),
        ("http://", "invalid_url"),
        ("http:///path", "invalid_url"),
        ("http://[::1", "invalid_url"),
        ("http://example.com:99999/", "invalid_url"),
        ("http://exa mple.com/", "invalid_url"),
        ("http://a%0d%0ab/", "invalid_url"),
        ("http://[fe80::1%25eth0]/", "invalid_url"),
        ("http://\u2024\u2024/", "invalid_url"),
        ("file:///etc/passwd", "unsupported_url"),
        ("gopher://127.0.0.1:70/_x", "unsupported_url"),
        ("ftp://example.com/x", "unsupported_url"),
        ("javascript:alert(1)", "unsupported_url"),
        ("data:text/plain,hi", "unsupported_url"),
        ("http://me:secret@example.com/", "unsupported_url"),
        ("http://127.0.0.1@example.com/", "unsupported_url"),
        ("http://no-such-host.invalid/", "unreachable"),
    ],
)
async def test_what_is_no_address_of_the_web_is_refused(url: str, why: str) -> None:
    names = Names()
    error = await refused(Web(resolve=names), url)
    assert isinstance(error, InvalidInput)
    assert error.details["reason"] == why
    assert "secret" not in error.message


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.5.5", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[fd12:3456::1]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]",
        "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[::ffff:10.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
        "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2001:0:0:0:0:0:80ff:fffe]",
        "[::ffff:0:127.0.0.1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "LOCALHOST",
        "①②⑦.⓪.⓪.①", "127。0。0。1",
    ],
)  # fmt: skip
async def test_an_address_that_is_not_public_is_refused_in_every_spelling(host: str) -> None:
    error = await refused(Web(), f"http://{host}:8080/latest/meta-data")
    assert error.details["reason"] == "unsupported_url", error.message
    assert error.hint == "The setting fetch_allow lists exceptions."


@pytest.mark.parametrize("port", [0, 1, 22, 25, 110, 465, 587, 990, 2049, 6000, 6667, 10080])
async def test_ports_that_are_not_the_webs_are_refused(port: int) -> None:
    names = Names(pages_example=["93.184.216.34"])
    assert await reason(Web(resolve=names), f"http://pages.example:{port}/") == "unsupported_url"


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True), ("8.8.8.8", True), ("2606:2800:220:1::1", True), ("::ffff:8.8.8.8", True),
        ("64:ff9b::808:808", True), ("2a00:1450:4001::1", True), ("192.88.99.1", True), ("172.32.0.1", True),
        ("172.31.255.255", False), ("::ffff:192.168.0.1", False), ("4000::1", False),
    ],
)  # fmt: skip
async def test_public_addresses_are_told_from_others(address: str, public: bool) -> None:
    assert Allowed().may_reach("host", ipaddress.ip_address(address), 443) is public


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_checked_like_the_first_address(server: Loopback, status: int) -> None:
    for to in (
        f"http://127.0.0.2:{server.port}/inside",
        f"http://[::1]:{server.port}/inside",
        "http://169.254.169.254/latest/meta-data/",
        "//10.0.0.1/inside",
        "file:///etc/passwd",
        "http://me:pass@127.0.0.1/",
    ):
        server.paths["/"] = redirect(to, status)
        assert await reason(Web(HERE), server.url()) == "unsupported_url"
    assert [seen.line for seen in server.seen] == ["GET / HTTP/1.1"] * 6


async def test_a_redirect_to_a_name_with_a_private_address_is_refused(server: Loopback) -> None:
    server.paths["/"] = redirect("http://inside.example/")
    names = Names(inside_example=["93.184.216.34", "10.0.0.7"])
    assert await reason(Web(HERE, resolve=names), server.url()) == "unsupported_url"
    assert names.asked == ["inside.example"]


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:192.168.0.1"], ["::1"]])
async def test_a_name_is_refused_when_any_of_its_addresses_is_private(addresses: list[str]) -> None:
    assert await reason(Web(resolve=Names(pages_example=addresses)), "http://pages.example/") == "unsupported_url"


async def test_a_name_is_looked_up_once_and_the_checked_address_is_the_one_that_is_used(server: Loopback) -> None:
    """A second look-up would lead to where nobody listens."""
    server.paths["/"] = page(b"<p>pinned</p>")

    class Rebinding(Names):
        async def __call__(self, host: str) -> list[str]:
            found = await super().__call__(host)
            self.names[host] = ["127.0.0.9"]
            return found

    names = Rebinding(pages_example=["127.0.0.1"])
    fetched = await Web(["127.0.0.0/8"], resolve=names).fetch(f"http://pages.example:{server.port}/")
    assert await body(fetched) == b"<p>pinned</p>"
    assert names.asked == ["pages.example"]
    assert server.seen[0].headers["host"] == f"pages.example:{server.port}"


async def test_another_address_of_a_name_is_tried_when_the_first_does_not_connect(server: Loopback) -> None:
    server.paths["/"] = page(b"<p>second</p>")
    names = Names(pages_example=["127.0.0.99", "127.0.0.1"])
    fetched = await Web(["127.0.0.0/8"], resolve=names).fetch(f"http://pages.example:{server.port}/")
    assert await body(fetched) == b"<p>second</p>"


@pytest.mark.parametrize("allowed", ["127.0.0.0/8", "pages.example", "PAGES.example."])
async def test_the_setting_opens_what_it_names_and_nothing_else(server: Loopback, allowed: str) -> None:
    server.paths["/"] = page(b"<p>open</p>")
    names = Names(pages_example=["127.0.0.1"], other_example=["10.0.0.1"])
    web = Web([allowed], resolve=names)
    assert await body(await web.fetch(f"http://pages.example:{server.port}/")) == b"<p>open</p>"
    assert await reason(web, "http://other.example/") == "unsupported_url"
    assert await reason(web, "http://192.168.0.1/") == "unsupported_url"


async def test_a_mapped_address_of_an_allowed_network_is_allowed(server: Loopback) -> None:
    server.paths["/"] = page(b"<p>mapped</p>")
    assert await body(await Web(HERE).fetch(server.url(host="[::ffff:127.0.0.1]"))) == b"<p>mapped</p>"


async def test_headers_of_ones_own_stay_with_the_host_they_are_for(server: Loopback) -> None:
    names = Names(pages_example=["127.0.0.1"])
    server.paths = {
        "/": redirect("/here"),
        "/here": redirect(f"http://pages.example:{server.port}/there"),
        "/there": page(b"x"),
    }
    headers = {"Cookie": "a=b", "Host": "elsewhere.example", "Connection": "upgrade"}
    await Web(["127.0.0.0/8"], resolve=names).request(server.url(), headers=headers)
    assert [seen.headers.get("cookie") for seen in server.seen] == ["a=b", "a=b", None]
    assert server.seen[0].headers["host"] == f"127.0.0.1:{server.port}"
    assert {seen.headers["connection"] for seen in server.seen} == {"close"}


async def test_too_many_redirects_end(server: Loopback) -> None:
    server.paths["/"] = redirect("/")
    assert await reason(Web(HERE), server.url()) == "unreachable"
    assert len(server.seen) == 9


@pytest.mark.parametrize(
    ("status", "kind"), [(404, InvalidInput), (403, InvalidInput), (204, InvalidInput), (503, Upstream)]
)
async def test_an_answer_that_is_no_page_is_told_with_its_status(
    server: Loopback, status: int, kind: type[QuireError]
) -> None:
    server.paths["/"] = page(b"", status=status)
    error = await refused(Web(HERE), server.url())
    assert isinstance(error, kind)
    assert (error.details["reason"], error.message) == ("unreachable", f"url: the server answered {status}.")


async def test_a_server_that_nobody_runs_is_unreachable(server: Loopback) -> None:
    with_nobody = f"http://127.0.0.99:{server.port}/"
    error = await refused(Web(["127.0.0.0/8"]), with_nobody)
    assert isinstance(error, Upstream)
    assert error.message == "url: the page cannot be fetched: the server cannot be reached."


async def never_ends(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"2000\r\n" + b"x" * 0x2000 + b"\r\n")
        await writer.drain()


async def drips(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


async def drips_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while not writer.is_closing():
        writer.write(b"X-Y: z\r\n")
        await writer.drain()
        await asyncio.sleep(0.02)


async def floods_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for _ in range(10_000):
        writer.write(b"X-Y: " + b"z" * 1000 + b"\r\n")
        await writer.drain()


async def says_nothing(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        await asyncio.sleep(0.02)


async def test_a_page_that_never_ends_is_cut_at_the_limit(server: Loopback) -> None:
    server.paths["/"] = never_ends
    error = await refused(Web(HERE, limit=100_000), server.url())
    assert isinstance(error, TooLarge)
    assert error.details["limit"] == 100_000


async def test_a_page_that_says_it_is_too_large_is_not_read(server: Loopback) -> None:
    server.paths["/"] = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nbeginning"
    assert isinstance(await refused(Web(HERE), server.url()), TooLarge)


@pytest.mark.parametrize("answer", [drips, drips_headers, says_nothing])
async def test_a_server_that_takes_its_time_is_given_up(server: Loopback, answer: object) -> None:
    server.paths["/"] = answer  # type: ignore[assignment]
    error = await refused(Web(HERE, patience=HASTE), server.url())
    assert isinstance(error, Upstream)
    assert "too long" in error.message


async def test_silence_is_given_up_before_the_page_is(server: Loopback) -> None:
    server.paths["/"] = says_nothing
    error = await refused(Web(HERE, patience=Patience(5, 0.1, 60)), server.url())
    assert error.message == "url: the page cannot be fetched: the server does not answer in time."


async def test_a_server_that_was_too_slow_is_not_asked_again_for_a_while(server: Loopback) -> None:
    server.paths["/"] = says_nothing
    web = Web(HERE, patience=HASTE)
    await refused(web, server.url())
    again = await refused(web, server.url("/other"))
    moments_ago = "url: the page cannot be fetched: the server did not answer in time a moment ago."
    assert again.message == moments_ago
    assert not any("/other" in seen.line for seen in server.seen)
    rested = Web(HERE, patience=Patience(connect=5, silence=5, total=0.5, rest=0))
    await refused(rested, server.url())
    assert (await refused(rested, server.url())).message != moments_ago


@pytest.mark.parametrize(
    "answer",
    [
        floods_headers,
        b"hello, this is not HTTP\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"",
    ],
)
async def test_an_answer_that_is_not_http_is_told_and_nothing_else_happens(server: Loopback, answer: bytes) -> None:
    server.paths["/"] = answer
    error = await refused(Web(HERE), server.url())
    assert isinstance(error, Upstream)
    assert error.details["reason"] == "unreachable"


async def test_a_packed_page_is_unpacked(server: Loopback) -> None:
    server.paths = {
        "/gzip": page(gzip.compress(b"<p>zip</p>"), "Content-Encoding: gzip"),
        "/deflate": page(zlib.compress(b"<p>flat</p>"), "Content-Encoding: deflate"),
        "/brotli": page(b"??", "Content-Encoding: br"),
        "/broken": page(b"not gzip at all", "Content-Encoding: gzip"),
    }
    web = Web(HERE)
    assert await body(await web.fetch(server.url("/gzip"))) == b"<p>zip</p>"
    assert await body(await web.fetch(server.url("/deflate"))) == b"<p>flat</p>"
    assert await reason(web, server.url("/brotli")) == "unreachable"
    assert await reason(web, server.url("/broken")) == "unreachable"


async def test_a_bomb_is_cut_at_the_limit_while_it_unpacks(server: Loopback) -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    server.paths["/"] = page(bomb, "Content-Encoding: gzip")
    assert len(bomb) < 100_000
    assert isinstance(await refused(Web(HERE, limit=1_000_000), server.url()), TooLarge)


async def test_an_encoding_that_only_the_server_names_is_kept(server: Loopback) -> None:
    russian = "<p>Пример страницы</p>"
    server.paths = {
        "/old": page(russian.encode("cp1251"), media_type="text/html; charset=windows-1251"),
        "/new": page(russian.encode(), media_type="text/html; charset=windows-1251"),
        "/odd": page(russian.encode("cp1251"), media_type='text/html; charset="no-such"'),
        "/hex": page(b"\xff", media_type="text/plain; charset=hex"),
    }
    web = Web(HERE)
    assert await body(await web.fetch(server.url("/old"))) == russian.encode("utf-8-sig")
    assert await body(await web.fetch(server.url("/new"))) == russian.encode()
    assert await body(await web.fetch(server.url("/odd"))) == russian.encode("cp1251")
    assert await body(await web.fetch(server.url("/hex"))) == b"\xff"


async def test_what_a_server_calls_text_and_is_none_stays_as_it_is(server: Loopback) -> None:
    picture, noise = b"\x89PNG\r\n\x1a\n" + b"\xe0 \xe1" * 50, b"\x80\x01\x02\x03" * 50
    wide = "測試頁面在這裡\x00" * 2
    server.paths = {
        "/picture": page(picture, media_type="text/plain; charset=koi8-r"),
        "/noise": page(noise, media_type="text/plain; charset=koi8-r"),
        "/wide": page(wide.encode("utf-16-be"), media_type="text/plain; charset=utf-16be"),
    }
    web = Web(HERE)
    assert await body(await web.fetch(server.url("/picture"))) == picture
    assert await body(await web.fetch(server.url("/noise"))) == noise
    assert await body(await web.fetch(server.url("/wide"))) == wide.encode("utf-8-sig")


async def test_a_page_is_judged_by_its_beginning_and_refused_before_its_end(server: Loopback) -> None:
    left = asyncio.Event()

    async def endless(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\nContent-Type: text/html; charset=windows-1251\r\nConnection: close\r\n\r\n")
        try:
            while True:
                writer.write("<p>Пример</p>".encode("cp1251") * 1000)
                await writer.drain()
        finally:
            left.set()

    seen: list[tuple[str, str, int]] = []

    def unreadable(name: str, media_type: str, head: bytes) -> str | None:
        seen.append((name, media_type, len(head.decode("utf-8-sig"))))
        return "It has no end."

    server.paths = {"/endless": endless, "/short": page(b"<p>short</p>")}
    with pytest.raises(InvalidInput, match="nothing that can be read") as caught:
        await Web(HERE).fetch(server.url("/endless"), unreadable)
    assert caught.value.message.endswith("It has no end.")
    assert caught.value.details["reason"] == "unsupported_url"
    await asyncio.wait_for(left.wait(), 60)
    with pytest.raises(InvalidInput):
        await Web(HERE).fetch(server.url("/short"), unreadable)
    assert seen == [("endless.html", "text/html; charset=windows-1251", HEAD), ("short.html", "text/html", 12)]


async def test_a_url_cannot_carry_a_second_request(server: Loopback) -> None:
    server.paths["/a"] = page(b"x")
    await Web(HERE).fetch(server.url("/a?q=1 HTTP/1.1\r\nX-Evil: yes\r\n\r\nDELETE /b é"))
    (seen,) = server.seen
    assert "x-evil" not in seen.headers
    assert seen.line.startswith("GET /a?q=1%20HTTP/1.1")


async def test_a_large_page_goes_through_the_disk_unchanged(server: Loopback) -> None:
    large = bytes(range(256)) * 20_000
    server.paths["/"] = page(large, media_type="application/octet-stream")
    assert await body(await Web(HERE).fetch(server.url())) == large


def certified(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What a server of this name shows, and what a client that trusts it has."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    begin = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate = folder / "certificate.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret = folder / "key.pem"
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(certificate, secret)
    return shown, ssl.create_default_context(cafile=str(certificate))


async def test_a_pinned_connection_still_proves_its_name(tmp_path: Path) -> None:
    shown, trusting = certified(tmp_path, "pages.example")
    names = Names(pages_example=["127.0.0.1"], other_example=["127.0.0.1"])
    async with loopback(tls=shown) as server:
        server.paths["/"] = page(b"<p>secure</p>")
        web = Web(HERE, resolve=names, tls=trusting)
        assert await body(await web.fetch(f"https://pages.example:{server.port}/")) == b"<p>secure</p>"
        for distrusted in (f"https://other.example:{server.port}/", f"https://127.0.0.1:{server.port}/"):
            assert "certificate is not valid" in (await refused(web, distrusted)).message
        unknown = await refused(Web(HERE, resolve=names), f"https://pages.example:{server.port}/")
        assert "certificate is not valid" in unknown.message
