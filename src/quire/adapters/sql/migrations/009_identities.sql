-- A notebook's sign, as NotebookLM's clients set it
ALTER TABLE notebook ADD COLUMN emoji TEXT;

-- The hash of what a source was given as, a file's bytes or a text's, by which it is recognised when it comes again
ALTER TABLE source ADD COLUMN given TEXT;
UPDATE source SET given = blob;
CREATE INDEX source_given ON source (notebook_id, given);

-- The answer that a note was saved from
ALTER TABLE note ADD COLUMN answer_id TEXT;
CREATE UNIQUE INDEX note_answer ON note (answer_id);

-- What is left of deleted notes: clients of NotebookLM learn from it that one is gone
CREATE TABLE deleted_note (
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    note_id     TEXT NOT NULL,
    at          BIGINT NOT NULL,
    PRIMARY KEY (notebook_id, note_id)
);
