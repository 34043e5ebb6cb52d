-- Users and the notebooks they share
CREATE TABLE person (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    token_hash  TEXT UNIQUE,
    created_at  BIGINT NOT NULL
);

CREATE TABLE notebook (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    title       TEXT NOT NULL,
    inbox_of    TEXT UNIQUE REFERENCES person (id),
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);

CREATE TABLE member (
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    person_id   TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    role        BIGINT NOT NULL,
    PRIMARY KEY (notebook_id, person_id)
);
CREATE INDEX member_person ON member (person_id, notebook_id);

-- Notes; the folded columns are what search reads, written by Python
CREATE TABLE note (
    seq             {serial},
    id              TEXT NOT NULL UNIQUE,
    short_id        TEXT NOT NULL UNIQUE,
    notebook_id     TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    title           TEXT NOT NULL,
    content         TEXT NOT NULL,
    folded_title    TEXT NOT NULL,
    folded_content  TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT,
    revision        BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX note_notebook ON note (notebook_id, seq);

-- Every short id ever given, so that a deleted note's is not given again
CREATE TABLE short_id (
    short_id    TEXT PRIMARY KEY
);

-- What happened
CREATE TABLE event (
    seq         {serial},
    notebook_id TEXT NOT NULL,
    kind        TEXT NOT NULL,
    subject_id  TEXT NOT NULL,
    at          BIGINT NOT NULL
);
CREATE INDEX event_notebook ON event (notebook_id, seq);

-- Long work
CREATE TABLE job (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    kind        TEXT NOT NULL,
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    person_id   TEXT NOT NULL REFERENCES person (id),
    payload     TEXT NOT NULL,
    place       TEXT,
    state       TEXT NOT NULL DEFAULT 'queued',
    cancelled   BIGINT NOT NULL DEFAULT 0,
    attempts    BIGINT NOT NULL DEFAULT 0,
    worker      TEXT,
    lease_until BIGINT,
    run_after   BIGINT NOT NULL,
    done        BIGINT NOT NULL DEFAULT 0,
    total       BIGINT,
    message     TEXT NOT NULL DEFAULT '',
    result      TEXT,
    error       TEXT,
    file        TEXT,
    created_at  BIGINT NOT NULL,
    started_at  BIGINT,
    finished_at BIGINT
);
CREATE INDEX job_state ON job (state, run_after);
CREATE INDEX job_notebook ON job (notebook_id, seq);

-- Files by their hash, and who needs them
CREATE TABLE blob (
    sha256      TEXT PRIMARY KEY,
    size        BIGINT NOT NULL,
    created_at  BIGINT NOT NULL
);

CREATE TABLE blob_use (
    sha256      TEXT NOT NULL REFERENCES blob (sha256),
    kind        TEXT NOT NULL,
    subject_id  TEXT NOT NULL,
    PRIMARY KEY (sha256, kind, subject_id)
);
CREATE INDEX blob_use_subject ON blob_use (kind, subject_id);
