"""The TLS proxy: what it lets through, to whom, and what it never tells."""

from __future__ import annotations

import socket
import ssl
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pages import answering
from quire.domain.errors import InvalidInput
from quire.notebooklm.certificates import certificates
from quire.notebooklm.tls_proxy import served as stands_for
from quire.notebooklm.tls_proxy import upstream_address
from serving import WAIT_SECONDS
from through_proxy import APP, Proxied, proxied, proxy_before

OTHERS = ["example.com:443", "google.com.evil.example:443", "127.0.0.1:443", "notebooklm.google.com:80"]
OTHERS += ["mail.google.com:443", "drive.google.com:443", "www.googleapis.com:443", "lh3.googleusercontent.com:443"]
OTHERS += ["google.com:443", "evilgoogle.com:443", ":443", "notebooklm.google.com"]
ELSEWHERE = ["http://example.com:80", "https://127.0.0.1:8765", "http://127.0.0.1:8765/path", "nonsense"]
ELSEWHERE += ["http://[", "http://10.0.0.1"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    with proxied(tmp_path_factory.mktemp("home")) as made:
        yield made


def raw(port: int, data: bytes) -> bytes:
    """What comes back until the proxy closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS) as connection:
        connection.sendall(data)
        pieces = []
        while piece := connection.recv(4096):
            pieces.append(piece)
        return b"".join(pieces)


def test_the_page_is_reached_by_each_of_its_names(place: Proxied) -> None:
    with place.client() as client:
        for host in ("notebooklm.google.com", "notebook.google.com"):
            page = client.get(f"https://{host}/")
            assert page.status_code == 200
            assert '"SNlM0e":"' in page.text


@pytest.mark.parametrize("host", OTHERS)
def test_a_connection_to_any_other_host_or_port_is_refused(place: Proxied, host: str) -> None:
    answer = raw(place.port, f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET http://notebooklm.google.com/ HTTP/1.1\r\nHost: notebooklm.google.com\r\n\r\n", b"405"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"CONNECT notebooklm.google.com:443 HTTP/1.1\r\n" + b"A: " + b"x" * 100_000 + b"\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\x00\x01", b"400"),
    ],
)
def test_what_is_no_connect_is_refused(place: Proxied, data: bytes, status: bytes) -> None:
    assert raw(place.port, data).split(b" ")[1] == status


def test_whoever_comes_without_the_proxys_key_finds_no_such_host(place: Proxied) -> None:
    with place.server.client() as client:
        for key in (b"", b"wrong", "é".encode()):
            answer = client.get("/", headers={"Host": b"notebooklm.google.com", "x-quire-proxy": key})
            assert answer.status_code == 403
            assert "SNlM0e" not in answer.text


def test_a_client_cannot_bring_a_key_of_its_own(place: Proxied) -> None:
    with place.client() as client:
        answer = client.get(APP, headers={"x-quire-proxy": "wrong"})
    assert answer.status_code == 200


def test_the_own_page_of_quire_stays_where_it_is(place: Proxied) -> None:
    with place.server.client() as client:
        page = client.get("/")
        assert page.status_code == 200
        assert "SNlM0e" not in page.text


def test_a_connection_is_used_again_and_large_bodies_pass_both_ways(place: Proxied) -> None:
    speaker = place.speaker()
    notebook = speaker.call("CREATE_NOTEBOOK", title="Large")
    note = speaker.call("CREATE_NOTE", notebook_id=notebook.id)
    words = "é" * 400_000
    speaker.call("UPDATE_NOTE", notebook_id=notebook.id, note_id=note.id, content=words, title="Long")
    (found,) = speaker.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook.id).notes
    assert found.content == words


def test_a_server_that_closes_after_each_answer_does_not_break_the_clients_connection(tmp_path: Path) -> None:
    class Closing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

    with answering(Closing) as url, proxy_before(url, tmp_path, "key") as port:
        context = ssl.create_default_context(cafile=str(tmp_path / "tls/ca.pem"))
        with httpx.Client(proxy=f"http://127.0.0.1:{port}", verify=context, trust_env=False) as client:
            assert [client.get(APP).text for _ in range(5)] == ["ok"] * 5


def test_chunked_bodies_pass(place: Proxied) -> None:
    speaker = place.speaker()

    def pieces() -> Iterator[bytes]:
        from quire.notebooklm.envelope import call_body

        body = call_body("wXbhsf", [None, 1, None, [2]], speaker.token).encode()
        for start in range(0, len(body), 20):
            yield body[start : start + 20]

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = speaker.http.post("/_/LabsTailwindUi/data/batchexecute", content=pieces(), headers=headers)
    assert answer.status_code == 200
    assert "wXbhsf" in answer.text


def test_a_server_that_does_not_run_is_told(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with proxy_before(url, tmp_path, "key") as port:
            context = ssl.create_default_context(cafile=str(tmp_path / "tls/ca.pem"))
            with httpx.Client(proxy=f"http://127.0.0.1:{port}", verify=context, trust_env=False) as client:
                answer = client.get(APP)
    assert (answer.status_code, answer.text) == (502, "quire serve does not answer")


def test_the_authority_signs_for_notebooklms_names_only_and_its_key_is_nowhere(tmp_path: Path) -> None:
    made = certificates(tmp_path / "tls")
    authority = x509.load_pem_x509_certificate(made.authority.read_bytes())
    shown = x509.load_pem_x509_certificate(made.certificate.read_bytes())
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    assert constraints.value.permitted_subtrees is not None
    assert {name.value for name in constraints.value.permitted_subtrees} == {
        "notebook.google.com",
        "notebooklm.google.com",
        "accounts.google.com",
    }
    names = shown.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert set(names.get_values_for_type(x509.DNSName)) == {name.value for name in constraints.value.permitted_subtrees}
    assert shown.not_valid_after_utc - shown.not_valid_before_utc < timedelta(days=31)
    assert {path.name for path in (tmp_path / "tls").iterdir()} == {"ca.pem", "front.pem", "front.key"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "tls").iterdir()} == {0o600}
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    key = load_pem_private_key(made.key.read_bytes(), None)
    assert key.public_key() == shown.public_key()
    assert key.public_key() != authority.public_key()


def test_certificates_are_kept_until_they_end_soon(tmp_path: Path) -> None:
    first = certificates(tmp_path / "tls")
    data = first.authority.read_bytes()
    assert certificates(tmp_path / "tls").authority.read_bytes() == data
    assert first.expires > datetime.now(UTC) + timedelta(days=20)
    (tmp_path / "tls/front.key").unlink()
    assert certificates(tmp_path / "tls").authority.read_bytes() != data


def test_certificates_for_other_names_are_replaced(tmp_path: Path) -> None:
    made = certificates(tmp_path / "tls")
    kept = x509.load_pem_x509_certificate(made.certificate.read_bytes())
    key = ec.generate_private_key(ec.SECP256R1())
    wide = (
        x509.CertificateBuilder()
        .subject_name(kept.subject)
        .issuer_name(kept.issuer)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(kept.not_valid_before_utc)
        .not_valid_after(kept.not_valid_after_utc)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("*.google.com")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    made.certificate.write_bytes(wide.public_bytes(serialization.Encoding.PEM))
    shown = x509.load_pem_x509_certificate(certificates(tmp_path / "tls").certificate.read_bytes())
    assert shown.extensions.get_extension_for_class(x509.SubjectAlternativeName) == (
        kept.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    )


@pytest.mark.parametrize("upstream", ELSEWHERE)
def test_the_server_behind_must_be_on_this_machine(upstream: str) -> None:
    with pytest.raises(InvalidInput):
        upstream_address(upstream)
    assert upstream_address("http://127.0.0.1:8765") == ("127.0.0.1", 8765)


def test_names_are_told_apart_by_whole_labels() -> None:
    assert stands_for("NotebookLM.Google.com.")
    assert [stands_for(name) for name in ("google.com", "a.notebooklm.google.com", "google.com.evil", "")] == [
        False
    ] * 4
