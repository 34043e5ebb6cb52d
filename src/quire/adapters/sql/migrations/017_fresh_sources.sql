-- Where a file lies that a caller on this machine has added, by what its server recognises a page that has not changed,
-- when a source was last compared with what it came from, and whether it was found to differ
ALTER TABLE source ADD COLUMN path TEXT;
ALTER TABLE source ADD COLUMN etag TEXT;
ALTER TABLE source ADD COLUMN last_modified TEXT;
ALTER TABLE source ADD COLUMN checked_at BIGINT;
ALTER TABLE source ADD COLUMN stale BIGINT NOT NULL DEFAULT 0;

-- The note that a source was made of
ALTER TABLE source ADD COLUMN note_id TEXT REFERENCES note (id) ON DELETE SET NULL;
CREATE INDEX source_note ON source (note_id);
