-- Which jobs go first: 0 fetches from elsewhere, 1 works, 2 makes vectors. A fetch says from which host.
ALTER TABLE job ADD COLUMN turn BIGINT NOT NULL DEFAULT 1;
ALTER TABLE job ADD COLUMN host TEXT;
UPDATE job SET turn = 2 WHERE kind = 'embed_source';
UPDATE job SET turn = 0 WHERE kind = 'read_source' AND finished_at IS NULL AND payload LIKE '%"fetch": true%'
AND EXISTS (SELECT 1 FROM source s WHERE s.job_id = job.id AND s.kind <> 'book' AND s.url IS NOT NULL);
DROP INDEX job_state;
CREATE INDEX job_turn ON job (state, turn, person_id, seq);

-- Versions of which only some passages are in the index: on their way in, with the hash of the text, or out.
-- Nothing is found in them.
CREATE TABLE hidden_version (
    source_id   TEXT NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    version     BIGINT NOT NULL,
    hash        TEXT,
    PRIMARY KEY (source_id, version)
);
