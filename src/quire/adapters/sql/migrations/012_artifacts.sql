-- What is made of sources. `outline` and `content` are the kind's own JSON; `place` in the making is that of its job.
-- `source_ids` are those that were asked for, JSON, NULL for all; `made_of` are those it was made of.
CREATE TABLE artifact (
    seq          {serial},
    id           TEXT NOT NULL UNIQUE,
    notebook_id  TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    person_id    TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    job_id       TEXT,
    kind         TEXT NOT NULL,
    title        TEXT NOT NULL,
    titled       BIGINT NOT NULL,
    state        TEXT NOT NULL,
    draft        BIGINT NOT NULL,
    options      TEXT NOT NULL,
    instructions TEXT NOT NULL,
    language     TEXT NOT NULL,
    source_ids   TEXT,
    made_of      TEXT NOT NULL,
    outline      TEXT,
    content      TEXT,
    maker        TEXT,
    warnings     TEXT NOT NULL,
    error        TEXT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX artifact_notebook ON artifact (notebook_id, seq);
CREATE INDEX artifact_person ON artifact (person_id);

CREATE TABLE artifact_file (
    artifact_id TEXT NOT NULL REFERENCES artifact (id) ON DELETE CASCADE,
    format      TEXT NOT NULL,
    place       BIGINT NOT NULL,
    media_type  TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    size        BIGINT NOT NULL,
    PRIMARY KEY (artifact_id, format)
);

-- The versions that an artifact cites stay for as long as it does
CREATE TABLE artifact_version (
    artifact_id TEXT NOT NULL REFERENCES artifact (id) ON DELETE CASCADE,
    source_id   TEXT NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    version     BIGINT NOT NULL,
    PRIMARY KEY (artifact_id, source_id, version)
);
CREATE INDEX artifact_version_source ON artifact_version (source_id, version);
