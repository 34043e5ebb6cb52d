-- Labels of sources, many to many. Those that are `generated` were made by topic and may be made anew; what a person
-- made or changed is theirs
CREATE TABLE label (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    emoji       TEXT,
    generated   BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX label_notebook ON label (notebook_id, seq);

CREATE TABLE label_source (
    label_id    TEXT NOT NULL REFERENCES label (id) ON DELETE CASCADE,
    source_id   TEXT NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    PRIMARY KEY (label_id, source_id)
);
CREATE INDEX label_source_source ON label_source (source_id);

-- The sources and versions that a notebook was last labelled by, as a hash
CREATE TABLE labelling (
    notebook_id TEXT PRIMARY KEY REFERENCES notebook (id) ON DELETE CASCADE,
    sources     TEXT NOT NULL
);

-- A person's own groups of notebooks, many to many
CREATE TABLE collection (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    person_id   TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    emoji       TEXT,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX collection_person ON collection (person_id, seq);

CREATE TABLE collection_notebook (
    collection_id TEXT NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    notebook_id   TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    PRIMARY KEY (collection_id, notebook_id)
);
CREATE INDEX collection_notebook_notebook ON collection_notebook (notebook_id);
