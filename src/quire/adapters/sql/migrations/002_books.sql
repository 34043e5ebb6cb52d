-- Books; each has a notebook of its own, where its members' roles are. `change` counts, over all books, what was
-- done to the registry; the chain columns are the end of the book's audit log
CREATE TABLE book (
    seq             {serial},
    book_id         TEXT NOT NULL UNIQUE,
    notebook_id     TEXT NOT NULL UNIQUE REFERENCES notebook (id),
    title           TEXT NOT NULL,
    storage_backend TEXT NOT NULL,
    status          TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    require_hash    BIGINT NOT NULL DEFAULT 0,
    overlays        BIGINT NOT NULL DEFAULT 0,
    registered      BIGINT NOT NULL DEFAULT 1,
    change          BIGINT NOT NULL,
    chain_length    BIGINT NOT NULL DEFAULT 0,
    chain_hash      TEXT NOT NULL DEFAULT ''
);

-- These three grow with every write and have no other index: each page of one more is synced with every commit

-- The head of each file. `mark` is what the storage said of the bytes when they were last seen to have this hash,
-- `ref` how they are found as a version
CREATE TABLE book_file (
    book_id         TEXT NOT NULL REFERENCES book (book_id) ON DELETE CASCADE,
    path            TEXT NOT NULL,
    sha256          TEXT NOT NULL,
    size            BIGINT NOT NULL,
    revision        BIGINT NOT NULL,
    mime            TEXT NOT NULL,
    modified_at     BIGINT NOT NULL,
    actor           TEXT NOT NULL,
    original_name   TEXT,
    ref             TEXT NOT NULL,
    mark            TEXT NOT NULL,
    PRIMARY KEY (book_id, path)
) {clustered};

-- What each file was, newest last; a deletion has no hash
CREATE TABLE book_version (
    book_id         TEXT NOT NULL REFERENCES book (book_id) ON DELETE CASCADE,
    path            TEXT NOT NULL,
    revision        BIGINT NOT NULL,
    sha256          TEXT,
    ref             TEXT,
    size            BIGINT NOT NULL,
    mime            TEXT NOT NULL,
    original_name   TEXT,
    operation       TEXT NOT NULL,
    actor           TEXT NOT NULL,
    at              BIGINT NOT NULL,
    PRIMARY KEY (book_id, path, revision)
) {clustered};

-- One row an operation that changed something, each with the hash of the one before
CREATE TABLE book_audit (
    book_id         TEXT NOT NULL REFERENCES book (book_id) ON DELETE CASCADE,
    number          BIGINT NOT NULL,
    at              BIGINT NOT NULL,
    actor           TEXT NOT NULL,
    operation       TEXT NOT NULL,
    path            TEXT NOT NULL,
    before_hash     TEXT,
    after_hash      TEXT,
    size            BIGINT,
    detail          TEXT NOT NULL,
    hash            TEXT NOT NULL,
    PRIMARY KEY (book_id, number)
) {clustered};

-- Uploads that have ended, so that one which is sent again is answered as the first time
CREATE TABLE book_upload (
    id              TEXT PRIMARY KEY,
    book_id         TEXT NOT NULL REFERENCES book (book_id) ON DELETE CASCADE,
    path            TEXT NOT NULL,
    at              BIGINT NOT NULL
);

-- States of a book whose manifest hash someone was told: how long the audit log was then
CREATE TABLE book_manifest (
    book_id         TEXT NOT NULL REFERENCES book (book_id) ON DELETE CASCADE,
    hash            TEXT NOT NULL,
    number          BIGINT NOT NULL,
    at              BIGINT NOT NULL,
    PRIMARY KEY (book_id, hash)
);

-- A reader's own copies of files, which nobody else sees; `base_hash` is what the book's file was then
CREATE TABLE book_overlay (
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
