"""Certificates of the TLS proxy: an authority that signs once and is forgotten.

Its key lives in memory, signs one certificate for the names that NotebookLM's clients go to and is dropped; only its
own certificate, and the key of the one it signed, are written. It may sign for no other names, so whoever finds those
files can pretend to be them to nobody but the programs that were told to trust this very authority.
"""

from __future__ import annotations

import os
import secrets
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from quire.domain.errors import Unsupported

DAYS, RENEWED_DAYS_BEFORE = 30, 5
NAMES = ("notebook.google.com", "notebooklm.google.com", "accounts.google.com")
AUTHORITY, CERTIFICATE, KEY = "ca.pem", "front.pem", "front.key"


@dataclass(frozen=True)
class Certificates:
    """Where they lie: what clients trust, and what the proxy shows and proves."""

    authority: Path
    certificate: Path
    key: Path
    expires: datetime


def certificates(folder: Path) -> Certificates:
    """Those in the folder; new ones where there are none, they are for other names, or they end soon."""
    found = _found(folder)
    if found is None or found.expires < datetime.now(UTC) + timedelta(days=RENEWED_DAYS_BEFORE):
        _make(folder)
        found = _found(folder)
    if found is None:
        raise Unsupported(f"The certificates in {folder} cannot be used.", hint="Delete that folder.")
    return found


def _found(folder: Path) -> Certificates | None:
    from cryptography import x509

    try:
        shown = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
        x509.load_pem_x509_certificate((folder / AUTHORITY).read_bytes())
        names = shown.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        if not (folder / KEY).is_file() or set(names.get_values_for_type(x509.DNSName)) != set(NAMES):
            return None
    except (OSError, ValueError, x509.ExtensionNotFound):
        return None
    return Certificates(folder / AUTHORITY, folder / CERTIFICATE, folder / KEY, shown.not_valid_after_utc)


def _make(folder: Path) -> None:
    """All three appear at once: a folder takes the place of another."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    fresh.mkdir(mode=0o700)
    old = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    try:
        for name, data in _signed().items():
            descriptor = os.open(fresh / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    except FileExistsError:
        pass  # Another process was first.
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _signed() -> dict[str, bytes]:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    now = datetime.now(UTC)
    begin, end = now - timedelta(hours=1), now + timedelta(days=DAYS)

    def named(name: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

    def usage(*, signs: bool) -> x509.KeyUsage:
        return x509.KeyUsage(
            digital_signature=not signs,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=signs,
            crl_sign=signs,
            encipher_only=False,
            decipher_only=False,
        )

    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = named(f"Quire on this machine {secrets.token_hex(4)}")
    subject_id = x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key())
    authority = (
        x509.CertificateBuilder()
        .subject_name(issuer)
        .issuer_name(issuer)
        .public_key(authority_key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints([x509.DNSName(name) for name in NAMES], None), critical=True)
        .add_extension(subject_id, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(named(NAMES[0]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in NAMES]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(subject_id), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    return {
        AUTHORITY: authority.public_bytes(pem),
        CERTIFICATE: certificate.public_bytes(pem),
        KEY: key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
    }
