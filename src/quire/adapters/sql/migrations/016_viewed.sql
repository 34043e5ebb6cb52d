-- When each person last opened a notebook; what they took out of their recent ones is not here until they open it again
CREATE TABLE viewed (
    person_id   TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    at          BIGINT NOT NULL,
    PRIMARY KEY (person_id, notebook_id)
);
CREATE INDEX viewed_notebook ON viewed (notebook_id);
