-- name: role_in_source
SELECT m.role, s.notebook_id
FROM source s JOIN member m ON m.notebook_id = s.notebook_id AND m.person_id = :person_id
WHERE s.id = :id

-- name: insert_source
INSERT INTO source
    (id, notebook_id, title, kind, url, blob, given, file_name, job_id, whole, state, created_at, updated_at)
VALUES (:id, :notebook_id, :title, :kind, :url, :blob, :given, :file_name, :job_id, :whole, :state, :at, :at)

-- What was given before as the same bytes in the same way: pasted, as a file, or from the same address
-- name: same_source
SELECT id FROM source WHERE notebook_id = :notebook_id AND given = :given
AND coalesce(url, '') = coalesce(CAST(:url AS TEXT), '') AND CASE WHEN blob IS NULL THEN 1 ELSE 0 END = :pasted
ORDER BY seq LIMIT 1

-- name: same_address
SELECT id FROM source WHERE notebook_id = :notebook_id AND url = :url AND kind <> 'book' ORDER BY seq LIMIT 1

-- name: source_by_id
SELECT s.*, v.language, v.warnings, v.characters, v.passages, v.hash, j.state AS job_state, j.error AS job_error
FROM source s LEFT JOIN source_version v ON v.source_id = s.id AND v.version = s.version
LEFT JOIN job j ON j.id = s.job_id
WHERE s.id = :id

-- name: sources_of
SELECT s.*, v.language, v.warnings, v.characters, v.passages, v.hash, j.state AS job_state, j.error AS job_error
FROM source s LEFT JOIN source_version v ON v.source_id = s.id AND v.version = s.version
LEFT JOIN job j ON j.id = s.job_id
WHERE s.notebook_id = :notebook_id AND s.seq > :after ORDER BY s.seq LIMIT :limit

-- name: sources_after
SELECT id, title, seq FROM source WHERE notebook_id = :notebook_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: count_sources
SELECT count(*) AS total FROM source WHERE notebook_id = :notebook_id

-- A source whose job was cancelled or died is no longer being read
-- name: source_states
SELECT s.id, s.title, CASE WHEN s.state = 'processing' AND j.state IN ('failed', 'cancelled') THEN 'failed' ELSE s.state END
    AS state
FROM source s LEFT JOIN job j ON j.id = s.job_id WHERE s.notebook_id = :notebook_id ORDER BY s.seq

-- name: set_source_file
UPDATE source SET blob = :blob, given = :blob, file_name = :file_name WHERE id = :id

-- name: set_source_origin
UPDATE source SET path = coalesce(CAST(:path AS TEXT), path), etag = :etag, last_modified = :last_modified WHERE id = :id

-- name: set_source_checked
UPDATE source SET checked_at = :at, stale = :stale WHERE id = :id

-- name: set_source_given
UPDATE source SET given = :given WHERE id = :id

-- name: set_source_media_type
UPDATE source SET media_type = :media_type WHERE id = :id

-- name: set_source_whole
UPDATE source SET whole = :whole WHERE id = :id

-- name: read_source_again
UPDATE source SET state = 'processing', error = NULL, job_id = :job_id, updated_at = :at WHERE id = :id

-- name: rename_source
UPDATE source SET title = :title, updated_at = :at WHERE id = :id

-- Held until commit, so that whoever deletes it waits, or was first.
-- name: source_to_change
SELECT notebook_id FROM source WHERE id = :id

-- name: delete_source
DELETE FROM source WHERE id = :id

-- name: move_source
UPDATE source SET notebook_id = :notebook_id WHERE id = :id

-- name: empty_sources
UPDATE source SET version = 0, url = NULL, blob = NULL, given = NULL, job_id = NULL WHERE notebook_id = :notebook_id

-- name: hide_source
INSERT INTO hidden_version (source_id, version)
SELECT DISTINCT source_id, version FROM passage WHERE source_id = :source_id
ON CONFLICT (source_id, version) DO NOTHING

-- name: set_source_state
UPDATE source SET state = :state, error = :error, updated_at = :at WHERE id = :id

-- name: settle_source
UPDATE source SET state = 'ready', error = NULL, version = :version, title = :title, kind = :kind, updated_at = :at,
    stale = 0
WHERE id = :id

-- name: insert_source_version
INSERT INTO source_version (source_id, version, hash, text, marks, language, warnings, characters, passages, created_at)
VALUES (:source_id, :version, :hash, :text, :marks, :language, :warnings, :characters, :passages, :at)

-- name: version_text
SELECT s.id, s.title, s.kind, v.version, v.text, v.marks, v.language FROM source s
JOIN source_version v ON v.source_id = s.id
WHERE s.id = :id AND v.version = :version

-- name: version_marks
SELECT marks FROM source_version WHERE source_id = :source_id AND version = :version

-- name: source_guide
SELECT guide FROM source_guide WHERE source_id = :source_id AND version = :version

-- A source may go, or get another version, while its guide is being written
-- name: insert_source_guide
INSERT INTO source_guide (source_id, version, guide)
SELECT v.source_id, v.version, :guide FROM source_version v WHERE v.source_id = :source_id AND v.version = :version
ON CONFLICT (source_id, version) DO UPDATE SET guide = excluded.guide

-- name: titles_of_sources
SELECT s.id, s.title, s.kind, s.file_name FROM source s
JOIN source_version v ON v.source_id = s.id AND v.version = s.version
WHERE s.notebook_id = :notebook_id AND v.passages > 0 ORDER BY s.seq LIMIT :limit

-- name: languages_of
SELECT DISTINCT v.language FROM source s JOIN source_version v ON v.source_id = s.id AND v.version = s.version
WHERE s.notebook_id = :notebook_id AND v.language IS NOT NULL

-- Numbers rise in the order of the array: start, end, place, text and hash of each
-- name: insert_passages
INSERT INTO passage (notebook_id, source_id, version, start_at, end_at, place, text, hash)
SELECT :notebook_id, :source_id, :version, json_extract(value, '$[0]'), json_extract(value, '$[1]'),
    json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]')
FROM json_each(:passages) ORDER BY key
RETURNING seq

-- name: passages_of_version
SELECT seq, hash FROM passage WHERE source_id = :source_id AND version = :version ORDER BY seq

-- name: first_passages_of_source
SELECT p.seq FROM passage p JOIN source s ON s.id = p.source_id AND s.version = p.version
WHERE p.source_id = :source_id ORDER BY p.seq LIMIT :limit

-- name: some_passages_of_source
SELECT seq FROM passage WHERE source_id = :source_id LIMIT :limit

-- name: some_passages_of_version
SELECT seq, notebook_id FROM passage WHERE source_id = :source_id AND version = :version ORDER BY seq LIMIT :limit

-- name: count_passages_of_version
SELECT count(*) AS total FROM passage WHERE source_id = :source_id AND version = :version

-- name: versions_with_passages
SELECT DISTINCT version FROM passage WHERE source_id = :source_id

-- Of a notebook, and of the sources that were moved into it from another
-- name: some_passages_to_take_away
SELECT seq, notebook_id FROM passage WHERE notebook_id = :notebook_id
UNION ALL
SELECT p.seq, p.notebook_id FROM source s JOIN passage p ON p.source_id = s.id
WHERE s.notebook_id = :notebook_id AND p.notebook_id <> :notebook_id
LIMIT :limit

-- name: delete_passages_by_seq
DELETE FROM passage WHERE seq IN (SELECT value FROM json_each(:seqs))

-- name: delete_some_versions
DELETE FROM source_version WHERE (source_id, version) IN (
    SELECT v.source_id, v.version FROM source s JOIN source_version v ON v.source_id = s.id
    WHERE s.notebook_id = :notebook_id LIMIT :limit)

-- name: hide_version
INSERT INTO hidden_version (source_id, version, hash) VALUES (:source_id, :version, :hash)

-- name: show_version
DELETE FROM hidden_version WHERE source_id = :source_id AND version = :version

-- name: hidden_version
SELECT hash FROM hidden_version WHERE source_id = :source_id AND version = :version

-- name: hidden_version_of
SELECT version FROM hidden_version WHERE source_id = :source_id LIMIT 1

-- name: any_hidden_version
SELECT 1 AS found FROM hidden_version LIMIT 1

-- name: left_over_versions
SELECT DISTINCT h.source_id FROM hidden_version h JOIN source s ON s.id = h.source_id
LEFT JOIN job j ON j.id = s.job_id WHERE j.id IS NULL OR j.finished_at IS NOT NULL

-- name: delete_passages
DELETE FROM passage WHERE source_id = :source_id AND version = :version

-- name: drop_uncited_version
DELETE FROM source_version WHERE source_id = :source_id AND version = :version AND NOT EXISTS (
    SELECT 1 FROM cited_version c WHERE c.source_id = source_version.source_id AND c.version = source_version.version)
AND NOT EXISTS (SELECT 1 FROM artifact_version a
    WHERE a.source_id = source_version.source_id AND a.version = source_version.version)

-- name: drop_uncited_versions
DELETE FROM source_version WHERE version <> (SELECT s.version FROM source s WHERE s.id = source_version.source_id)
AND NOT EXISTS (
    SELECT 1 FROM cited_version c WHERE c.source_id = source_version.source_id AND c.version = source_version.version)
AND NOT EXISTS (SELECT 1 FROM artifact_version a
    WHERE a.source_id = source_version.source_id AND a.version = source_version.version)

-- A source may be gone by the time that an answer is kept
-- name: insert_cited_version
INSERT INTO cited_version (turn_id, source_id, version)
SELECT :turn_id, v.source_id, v.version FROM source_version v WHERE v.source_id = :source_id AND v.version = :version
ON CONFLICT (turn_id, source_id, version) DO NOTHING

-- name: passages_without_vector
SELECT p.seq, p.text, s.title FROM passage p JOIN source s ON s.id = p.source_id AND s.version = p.version
LEFT JOIN passage_vector v ON v.passage_seq = p.seq AND v.model = :model
WHERE p.source_id = :source_id AND v.passage_seq IS NULL ORDER BY p.seq LIMIT :limit

-- name: count_without_vector
SELECT count(*) AS total FROM passage p JOIN source s ON s.id = p.source_id AND s.version = p.version
LEFT JOIN passage_vector v ON v.passage_seq = p.seq AND v.model = :model
WHERE p.source_id = :source_id AND v.passage_seq IS NULL

-- Each a new passage and the old one whose vectors are its own too
-- name: keep_vectors
INSERT INTO passage_vector (passage_seq, model, notebook_id, vector)
SELECT json_extract(value, '$[0]'), v.model, v.notebook_id, v.vector
FROM json_each(:same) CROSS JOIN passage_vector v ON v.passage_seq = json_extract(value, '$[1]')
WHERE true
ON CONFLICT (passage_seq, model) DO NOTHING

-- name: unembedded_sources
SELECT s.id, s.notebook_id, t.language
FROM source s JOIN source_version t ON t.source_id = s.id AND t.version = s.version
WHERE EXISTS (
    SELECT 1 FROM passage p LEFT JOIN passage_vector v ON v.passage_seq = p.seq AND v.model = :model
    WHERE p.source_id = s.id AND p.version = s.version AND v.passage_seq IS NULL
) AND NOT EXISTS (
    SELECT 1 FROM job j WHERE j.notebook_id = s.notebook_id AND j.kind = 'embed_source' AND j.finished_at IS NULL
    AND j.payload LIKE '%' || s.id || '%' AND j.payload LIKE '%"' || :model || '"%'
) AND NOT EXISTS (SELECT 1 FROM research_reading r WHERE r.notebook_id = s.notebook_id)

-- name: vectors_by_language
SELECT t.language, count(*) AS passages, count(v.passage_seq) AS vectors
FROM source s JOIN source_version t ON t.source_id = s.id AND t.version = s.version
JOIN passage p ON p.source_id = s.id AND p.version = s.version
LEFT JOIN passage_vector v ON v.passage_seq = p.seq AND v.model = :model
GROUP BY t.language

-- name: unembedded_in_notebook
SELECT s.id, t.language
FROM source s JOIN source_version t ON t.source_id = s.id AND t.version = s.version
WHERE s.notebook_id = :notebook_id AND EXISTS (
    SELECT 1 FROM passage p LEFT JOIN passage_vector v ON v.passage_seq = p.seq AND v.model = :model
    WHERE p.source_id = s.id AND p.version = s.version AND v.passage_seq IS NULL
) ORDER BY s.seq

-- name: embed_jobs_of
SELECT id, payload FROM job WHERE notebook_id = :notebook_id AND kind = 'embed_source' AND finished_at IS NULL

-- name: has_vectors
SELECT 1 AS there FROM passage_vector WHERE notebook_id = :notebook_id AND model = :model LIMIT 1

-- name: source_of_note
SELECT id, title, version, given FROM source WHERE notebook_id = :notebook_id AND note_id = :note_id ORDER BY seq LIMIT 1

-- name: set_source_note
UPDATE source SET note_id = :note_id WHERE id = :id

-- name: passage_at
SELECT seq FROM passage WHERE source_id = :source_id AND version = :version AND start_at <= :start
ORDER BY start_at DESC, seq DESC LIMIT 1

-- name: passages_of_newest
SELECT p.seq, p.text, s.title, v.language FROM passage p
JOIN source s ON s.id = p.source_id AND s.version = p.version
JOIN source_version v ON v.source_id = p.source_id AND v.version = p.version
WHERE p.source_id = :source_id AND p.seq > :after ORDER BY p.seq LIMIT :limit
