-- What a notebook is made of; `version` is the one in force, 0 until there is one
CREATE TABLE source (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    title       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    url         TEXT,
    blob        TEXT,
    file_name   TEXT,
    job_id      TEXT,
    state       TEXT NOT NULL,
    error       TEXT,
    version     BIGINT NOT NULL DEFAULT 0,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX source_notebook ON source (notebook_id, seq);
CREATE INDEX source_of_book ON source (url) WHERE kind = 'book';

CREATE TABLE source_version (
    source_id   TEXT NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    version     BIGINT NOT NULL,
    hash        TEXT NOT NULL,
    text        TEXT NOT NULL,
    marks       TEXT NOT NULL,
    language    TEXT,
    warnings    TEXT NOT NULL,
    characters  BIGINT NOT NULL,
    passages    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (source_id, version)
);

-- What a version is about, once someone has asked
CREATE TABLE source_guide (
    source_id   TEXT NOT NULL,
    version     BIGINT NOT NULL,
    guide       TEXT NOT NULL,
    PRIMARY KEY (source_id, version),
    FOREIGN KEY (source_id, version) REFERENCES source_version (source_id, version) ON DELETE CASCADE
);

-- A search asks for languages; they stand behind a text that may be long
CREATE INDEX source_version_language ON source_version (source_id, version, language);

-- Spans of a version, with their text, so that a search need not cut it out of a long one
CREATE TABLE passage (
    seq         {serial},
    notebook_id TEXT NOT NULL,
    source_id   TEXT NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    version     BIGINT NOT NULL,
    start_at    BIGINT NOT NULL,
    end_at      BIGINT NOT NULL,
    place       TEXT NOT NULL,
    text        TEXT NOT NULL,
    hash        TEXT NOT NULL
);
CREATE INDEX passage_source ON passage (source_id, version, seq);
CREATE INDEX passage_notebook ON passage (notebook_id, seq);

CREATE TABLE passage_vector (
    passage_seq BIGINT NOT NULL REFERENCES passage (seq) ON DELETE CASCADE,
    model       TEXT NOT NULL,
    notebook_id TEXT NOT NULL,
    vector      {vector} NOT NULL,
    PRIMARY KEY (passage_seq, model)
);
CREATE INDEX passage_vector_notebook ON passage_vector (notebook_id, model);

-- `number` is another after every change of what can be found in a notebook; what is kept in memory goes by it.
-- `passages` and `words` are how many its full text has.
CREATE TABLE generation (
    notebook_id TEXT PRIMARY KEY REFERENCES notebook (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    passages    BIGINT NOT NULL DEFAULT 0,
    words       BIGINT NOT NULL DEFAULT 0
);

-- Full text is each database's own
{full_text}

-- Questions and answers
CREATE TABLE conversation (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    person_id   TEXT NOT NULL REFERENCES person (id),
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX conversation_notebook ON conversation (notebook_id, person_id, seq);

CREATE TABLE turn (
    seq             {serial},
    id              TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    question        TEXT NOT NULL,
    answer          TEXT NOT NULL,
    created_at      BIGINT NOT NULL
);
CREATE INDEX turn_conversation ON turn (conversation_id, seq);

-- The versions that an answer cites stay for as long as it does
CREATE TABLE cited_version (
    turn_id   TEXT NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
    source_id TEXT NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    version   BIGINT NOT NULL,
    PRIMARY KEY (turn_id, source_id, version)
);
CREATE INDEX cited_version_source ON cited_version (source_id, version);

-- How a notebook's chat answers
CREATE TABLE chat_configuration (
    notebook_id TEXT PRIMARY KEY REFERENCES notebook (id) ON DELETE CASCADE,
    goal        TEXT NOT NULL,
    instructions TEXT NOT NULL,
    length      TEXT NOT NULL
);
