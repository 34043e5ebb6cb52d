-- Prompts that a person runs over sources
CREATE TABLE transformation (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    person_id   TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    prompt      TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX transformation_person ON transformation (person_id, seq);

-- The notes that they made, of which version of a source; a note at another revision was changed since by hand
CREATE TABLE transformed_note (
    seq               {serial},
    note_id           TEXT NOT NULL UNIQUE REFERENCES note (id) ON DELETE CASCADE,
    source_id         TEXT NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    transformation_id TEXT NOT NULL,
    version           BIGINT NOT NULL,
    revision          BIGINT NOT NULL,
    made_at           BIGINT NOT NULL
);
CREATE INDEX transformed_note_source ON transformed_note (source_id, transformation_id);
