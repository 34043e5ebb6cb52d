-- Early stores lack these, since the migrations that make them were edited after some had been made
ALTER TABLE book ADD COLUMN IF NOT EXISTS overlays BIGINT NOT NULL DEFAULT 0;

CREATE TABLE IF NOT EXISTS book_manifest (
    book_id         TEXT NOT NULL REFERENCES book (book_id) ON DELETE CASCADE,
    hash            TEXT NOT NULL,
    number          BIGINT NOT NULL,
    at              BIGINT NOT NULL,
    PRIMARY KEY (book_id, hash)
);

CREATE TABLE IF NOT EXISTS book_overlay (
    book_id         TEXT NOT NULL REFERENCES book (book_id) ON DELETE CASCADE,
    person_id       TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    path            TEXT NOT NULL,
    content         TEXT NOT NULL,
    sha256          TEXT NOT NULL,
    size            BIGINT NOT NULL,
    base_hash       TEXT,
    at              BIGINT NOT NULL,
    PRIMARY KEY (book_id, person_id, path)
);

CREATE TABLE IF NOT EXISTS source_guide (
    source_id   TEXT NOT NULL,
    version     BIGINT NOT NULL,
    guide       TEXT NOT NULL,
    PRIMARY KEY (source_id, version),
    FOREIGN KEY (source_id, version) REFERENCES source_version (source_id, version) ON DELETE CASCADE
);

CREATE INDEX IF NOT EXISTS source_version_language ON source_version (source_id, version, language);
CREATE INDEX IF NOT EXISTS source_of_book ON source (url) WHERE kind = 'book';

ALTER TABLE generation ADD COLUMN IF NOT EXISTS passages BIGINT NOT NULL DEFAULT 0;
ALTER TABLE generation ADD COLUMN IF NOT EXISTS words BIGINT NOT NULL DEFAULT 0;
{missing_full_text}

-- How many entries a book's audit log had before entries were keyed
ALTER TABLE book ADD COLUMN unkeyed BIGINT NOT NULL DEFAULT 0;
UPDATE book SET unkeyed = chain_length;
