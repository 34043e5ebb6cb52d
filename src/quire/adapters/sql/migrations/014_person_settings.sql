-- What each person sets for themselves, in all notebooks
CREATE TABLE person_setting (
    person_id   TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    value       TEXT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (person_id, name)
);
