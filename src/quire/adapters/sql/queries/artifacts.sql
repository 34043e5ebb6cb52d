-- name: role_in_artifact
SELECT m.role, a.notebook_id
FROM artifact a JOIN member m ON m.notebook_id = a.notebook_id AND m.person_id = :person_id
WHERE a.id = :id

-- name: insert_artifact
INSERT INTO artifact (id, notebook_id, person_id, kind, title, titled, state, draft, options, instructions, language,
    source_ids, made_of, warnings, created_at, updated_at)
VALUES (:id, :notebook_id, :person_id, :kind, :title, :titled, 'making', :draft, :options, :instructions, :language,
    :source_ids, '[]', '[]', :at, :at)

-- What a job is doing is told with the artifact that it makes.
-- name: artifact_by_id
SELECT a.*, j.state AS job_state, j.done, j.total, j.message, j.error AS job_error,
    coalesce((SELECT json_group_array(format) FROM
        (SELECT f.format FROM artifact_file f WHERE f.artifact_id = a.id ORDER BY f.place) AS listed), '[]') AS formats
FROM artifact a LEFT JOIN job j ON j.id = a.job_id WHERE a.id = :id

-- name: artifacts_of
SELECT a.seq, a.id, a.notebook_id, a.person_id, a.job_id, a.kind, a.title, a.state, a.draft, a.options, a.instructions,
    a.language, a.source_ids, a.made_of, a.maker, a.warnings, a.error, a.created_at, a.updated_at,
    j.state AS job_state, j.done, j.total, j.message, j.error AS job_error,
    coalesce((SELECT json_group_array(format) FROM
        (SELECT f.format FROM artifact_file f WHERE f.artifact_id = a.id ORDER BY f.place) AS listed), '[]') AS formats
FROM artifact a LEFT JOIN job j ON j.id = a.job_id
WHERE a.notebook_id = :notebook_id AND (:kind = '' OR a.kind = :kind) AND a.seq < :before
ORDER BY a.seq DESC LIMIT :limit

-- name: count_artifacts
SELECT count(*) AS total FROM artifact WHERE notebook_id = :notebook_id AND (:kind = '' OR kind = :kind)

-- name: set_artifact_job
UPDATE artifact SET job_id = :job_id, state = 'making', draft = :draft, error = NULL, updated_at = :at WHERE id = :id

-- name: set_artifact_outline
UPDATE artifact SET outline = :outline, made_of = :made_of, warnings = :warnings, updated_at = :at WHERE id = :id

-- name: set_artifact_content
UPDATE artifact SET content = :content, maker = :maker, warnings = :warnings, updated_at = :at,
    title = CASE WHEN titled = 1 THEN title ELSE :title END
WHERE id = :id

-- Without a title it keeps the one that it has.
-- name: edit_artifact_content
UPDATE artifact SET content = :content, warnings = :warnings, updated_at = :at,
    title = CASE WHEN :title = '' THEN title ELSE :title END, titled = CASE WHEN :title = '' THEN titled ELSE 1 END
WHERE id = :id

-- name: artifact_titles
SELECT title FROM artifact WHERE notebook_id = :notebook_id AND id <> :but

-- name: forget_artifact_making
UPDATE artifact SET outline = NULL, content = NULL, maker = NULL, warnings = '[]' WHERE id = :id

-- name: settle_artifact
UPDATE artifact SET state = :state, error = :error, updated_at = :at WHERE id = :id

-- name: set_artifact_warnings
UPDATE artifact SET warnings = :warnings WHERE id = :id

-- name: rename_artifact
UPDATE artifact SET title = :title, titled = 1, content = :content, updated_at = :at WHERE id = :id

-- name: delete_artifact
DELETE FROM artifact WHERE id = :id

-- name: artifact_files
SELECT format, media_type, sha256, size FROM artifact_file WHERE artifact_id = :id ORDER BY place

-- name: artifact_file
SELECT format, media_type, sha256, size FROM artifact_file WHERE artifact_id = :id AND format = :format

-- name: put_artifact_file
INSERT INTO artifact_file (artifact_id, format, place, media_type, sha256, size)
VALUES (:id, :format, :place, :media_type, :sha256, :size)
ON CONFLICT (artifact_id, format) DO UPDATE SET sha256 = :sha256, size = :size

-- name: delete_artifact_files
DELETE FROM artifact_file WHERE artifact_id = :id

-- name: bytes_of_artifacts
SELECT coalesce(sum(f.size), 0) AS total FROM artifact a JOIN artifact_file f ON f.artifact_id = a.id
WHERE a.person_id = :person_id

-- name: keep_artifact_version
INSERT INTO artifact_version (artifact_id, source_id, version)
SELECT :id, id, :version FROM source WHERE id = :source_id
ON CONFLICT (artifact_id, source_id, version) DO NOTHING

-- name: forget_artifact_versions
DELETE FROM artifact_version WHERE artifact_id = :id

-- name: copy_artifact
INSERT INTO artifact (id, notebook_id, person_id, kind, title, titled, state, draft, options, instructions, language,
    source_ids, made_of, outline, content, maker, warnings, created_at, updated_at)
SELECT :new_id, :notebook_id, :person_id, kind, title, 1, 'ready', 0, options, instructions, language,
    NULL, made_of, outline, content, maker, warnings, :at, :at FROM artifact WHERE id = :id

-- name: copy_artifact_files
INSERT INTO artifact_file (artifact_id, format, place, media_type, sha256, size)
SELECT :new_id, format, place, media_type, sha256, size FROM artifact_file WHERE artifact_id = :id

-- The sources that an artifact can be made of, in the order they were added
-- name: sources_to_tell
SELECT id, version FROM source WHERE notebook_id = :notebook_id AND version > 0 AND state <> 'failed' ORDER BY seq

-- name: release_artifact_blobs
DELETE FROM blob_use WHERE kind = 'artifact' AND NOT EXISTS (SELECT 1 FROM artifact a WHERE a.id = blob_use.subject_id)

-- name: set_artifact_language
UPDATE artifact SET language = :language WHERE id = :id

-- name: notebook_title
SELECT title FROM notebook WHERE id = :id
