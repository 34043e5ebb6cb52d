-- Runs that look for sources. `budget` and `warnings` are JSON; `spent` are microseconds of work, whoever did it
CREATE TABLE research (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    job_id      TEXT,
    session_id  TEXT,
    query       TEXT NOT NULL,
    source      TEXT NOT NULL,
    mode        TEXT NOT NULL,
    state       TEXT NOT NULL,
    reason      TEXT,
    summary     TEXT NOT NULL DEFAULT '',
    warnings    TEXT NOT NULL DEFAULT '[]',
    budget      TEXT NOT NULL,
    round       BIGINT NOT NULL DEFAULT 1,
    spent       BIGINT NOT NULL DEFAULT 0,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX research_notebook ON research (notebook_id, seq);

-- What came of a run, best first; a report is one of them
CREATE TABLE research_finding (
    research_id TEXT NOT NULL REFERENCES research (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    kind        TEXT NOT NULL,
    title       TEXT NOT NULL,
    url         TEXT,
    file        TEXT,
    description TEXT NOT NULL,
    finder      TEXT NOT NULL,
    cited       BIGINT NOT NULL DEFAULT 0,
    report      TEXT,
    source_id   TEXT,
    PRIMARY KEY (research_id, number)
);

CREATE TABLE research_step (
    seq         {serial},
    research_id TEXT NOT NULL REFERENCES research (id) ON DELETE CASCADE,
    kind        TEXT NOT NULL,
    text        TEXT NOT NULL,
    at          BIGINT NOT NULL
);
CREATE INDEX research_step_research ON research_step (research_id, seq);

-- What a deep run wants to know. `search` is what finders are asked, `round` when, `searched` whether they were
CREATE TABLE research_question (
    research_id TEXT NOT NULL REFERENCES research (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    question    TEXT NOT NULL,
    search      TEXT NOT NULL,
    round       BIGINT NOT NULL,
    searched    BIGINT NOT NULL DEFAULT 0,
    answered    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (research_id, number)
);

-- What was found for the questions of a deep run: `found` until it is `read` (or `beside` what is
-- looked for), `failed`, or the `same` as another.
-- `address` is what the same page has the same of; `source_id` is its text, in the run's own notebook
CREATE TABLE research_page (
    research_id TEXT NOT NULL REFERENCES research (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    question    BIGINT NOT NULL,
    address     TEXT NOT NULL,
    doi         TEXT,
    title       TEXT NOT NULL,
    url         TEXT,
    file        TEXT,
    snippet     TEXT NOT NULL,
    finder      TEXT NOT NULL,
    score       BIGINT NOT NULL,
    state       TEXT NOT NULL,
    source_id   TEXT,
    reason      TEXT,
    PRIMARY KEY (research_id, number),
    UNIQUE (research_id, address)
);

-- Notebooks without members that hold what deep runs have read, for as long as these go on
CREATE TABLE research_reading (
    notebook_id TEXT PRIMARY KEY REFERENCES notebook (id) ON DELETE CASCADE,
    research_id TEXT NOT NULL UNIQUE
);
