-- Scratch notebooks: cells for a session. `boot` is set where they do not outlive the process that made them.
CREATE TABLE scratch (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    session_id  TEXT NOT NULL UNIQUE,
    person_id   TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    connection  TEXT,
    boot        TEXT,
    title       TEXT NOT NULL,
    language    TEXT NOT NULL,
    pattern     TEXT,
    tsconfig    TEXT,
    metadata    TEXT NOT NULL,
    revision    BIGINT NOT NULL DEFAULT 1,
    last_cell   BIGINT NOT NULL DEFAULT 0,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    used_at     BIGINT NOT NULL,
    executed_at BIGINT,
    executions  BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX scratch_person ON scratch (person_id, seq);

CREATE TABLE scratch_cell (
    scratch_id      TEXT NOT NULL REFERENCES scratch (id) ON DELETE CASCADE,
    id              TEXT NOT NULL,
    place           BIGINT NOT NULL,
    type            TEXT NOT NULL,
    source          TEXT NOT NULL,
    language        TEXT,
    filename        TEXT,
    linked          BIGINT NOT NULL,
    status          TEXT NOT NULL,
    execution_count BIGINT,
    outputs         TEXT NOT NULL,
    metadata        TEXT NOT NULL,
    attachments     TEXT,
    PRIMARY KEY (scratch_id, id)
);

-- A ring: the oldest go when a notebook has too many
CREATE TABLE scratch_execution (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    scratch_id  TEXT NOT NULL REFERENCES scratch (id) ON DELETE CASCADE,
    execution   TEXT NOT NULL
);
CREATE INDEX scratch_execution_scratch ON scratch_execution (scratch_id, seq);
