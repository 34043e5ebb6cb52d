"""The resumable upload: what is announced, and where bytes may go."""

from __future__ import annotations

import pytest

from quire.domain.errors import InvalidInput, WireDrift
from quire.notebooklm.upload import LENGTH, announced_in, upload_id

HOSTS = ("notebook.google.com", "notebooklm.google.com")


@pytest.mark.parametrize(
    "url",
    [
        "http://notebooklm.google.com/upload/_/?upload_id=u",
        "https://evil.example/upload/_/?upload_id=u",
        "https://notebooklm.google.com.evil.example/upload/_/?upload_id=u",
        "https://notebooklm.google.com/other?upload_id=u",
        "https://notebooklm.google.com/upload/_/",
        "https://notebooklm.google.com/upload/_/?upload_id=u&upload_id=v",
    ],
)
def test_bytes_go_nowhere_but_to_an_upload_of_notebooklm(url: str) -> None:
    with pytest.raises(WireDrift):
        upload_id(url, HOSTS)


@pytest.mark.parametrize(
    ("body", "length"),
    [
        ("", "1"),
        ("[]", "1"),
        ('{"PROJECT_ID":"n"}', "1"),
        ('{"PROJECT_ID":"n","SOURCE_NAME":"","SOURCE_ID":"s"}', "1"),
        ('{"PROJECT_ID":1,"SOURCE_NAME":"a","SOURCE_ID":"s"}', "1"),
        ('{"PROJECT_ID":"n","SOURCE_NAME":"a","SOURCE_ID":"s"}', "many"),
        ('{"PROJECT_ID":"n","SOURCE_NAME":"a","SOURCE_ID":"s"}', "-1"),
    ],
)
def test_an_announcement_that_says_too_little_is_refused(body: str, length: str) -> None:
    with pytest.raises(InvalidInput):
        announced_in(body, {LENGTH: length})
