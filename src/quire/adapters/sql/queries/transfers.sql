-- name: notebook_to_move
SELECT * FROM notebook WHERE id = :id

-- name: collections_with_notebook
SELECT c.id, c.name, c.emoji FROM collection_notebook b JOIN collection c ON c.id = b.collection_id
WHERE b.notebook_id = :notebook_id AND c.person_id = :person_id ORDER BY c.seq

-- name: collection_of_name
SELECT id FROM collection WHERE person_id = :person_id AND name = :name ORDER BY seq LIMIT 1

-- name: sources_to_move
SELECT * FROM source WHERE notebook_id = :notebook_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: versions_to_move
SELECT v.source_id, v.version FROM source s JOIN source_version v ON v.source_id = s.id
WHERE s.notebook_id = :notebook_id AND (v.version = s.version OR EXISTS (
    SELECT 1 FROM cited_version c WHERE c.source_id = v.source_id AND c.version = v.version) OR EXISTS (
    SELECT 1 FROM artifact_version a WHERE a.source_id = v.source_id AND a.version = v.version))
ORDER BY s.seq, v.version

-- name: version_to_move
SELECT * FROM source_version WHERE source_id = :source_id AND version = :version

-- Only of the version in force: of others there are none, or they are being taken away
-- name: spans_of_version
SELECT p.start_at, p.end_at, p.place FROM passage p JOIN source s ON s.id = p.source_id AND s.version = p.version
WHERE p.source_id = :source_id AND p.version = :version ORDER BY p.seq

-- The answer that a note was saved from is told where it is moved too
-- name: notes_to_move
SELECT n.seq, n.id, n.short_id, n.title, n.content, n.created_at, n.updated_at, n.revision, (
    SELECT t.id FROM turn t JOIN conversation c ON c.id = t.conversation_id
    WHERE t.id = n.answer_id AND c.notebook_id = n.notebook_id AND c.person_id = :person_id) AS answer_id
FROM note n WHERE n.notebook_id = :notebook_id AND n.seq > :after ORDER BY n.seq LIMIT :limit

-- name: deleted_notes_to_move
SELECT note_id, at FROM deleted_note WHERE notebook_id = :notebook_id ORDER BY at, note_id

-- name: conversations_to_move
SELECT * FROM conversation WHERE notebook_id = :notebook_id AND person_id = :person_id AND seq > :after
ORDER BY seq LIMIT :limit

-- name: turns_to_move
SELECT t.* FROM turn t JOIN conversation c ON c.id = t.conversation_id
WHERE c.notebook_id = :notebook_id AND c.person_id = :person_id AND t.seq > :after ORDER BY t.seq LIMIT :limit

-- name: settle_moved_notebook
UPDATE notebook SET title = :title, emoji = :emoji, created_at = :created_at, updated_at = :updated_at WHERE id = :id

-- name: insert_moved_source
INSERT INTO source (id, notebook_id, title, kind, url, blob, given, file_name, media_type, whole, state, error, version,
    created_at, updated_at)
VALUES (:id, :notebook_id, :title, :kind, :url, :blob, :given, :file_name, :media_type, :whole, :state, :error,
    :version, :created_at, :updated_at)

-- name: insert_moved_label
INSERT INTO label (id, notebook_id, name, emoji, generated, created_at, updated_at)
VALUES (:id, :notebook_id, :name, :emoji, :generated, :created_at, :updated_at)

-- name: insert_moved_note
INSERT INTO note (id, short_id, notebook_id, title, content, folded_title, folded_content, created_at, updated_at,
    revision, answer_id)
VALUES (:id, :short_id, :notebook_id, :title, :content, :folded_title, :folded_content, :created_at, :updated_at,
    :revision, :answer_id)

-- name: insert_moved_conversation
INSERT INTO conversation (id, notebook_id, person_id, created_at, updated_at)
VALUES (:id, :notebook_id, :person_id, :created_at, :updated_at)

-- name: taken_of_notebook
SELECT id FROM notebook WHERE id IN (SELECT value FROM json_each(:ids)) LIMIT 1

-- name: taken_of_source
SELECT id FROM source WHERE id IN (SELECT value FROM json_each(:ids)) LIMIT 1

-- name: taken_of_label
SELECT id FROM label WHERE id IN (SELECT value FROM json_each(:ids)) LIMIT 1

-- name: taken_of_conversation
SELECT id FROM conversation WHERE id IN (SELECT value FROM json_each(:ids)) LIMIT 1

-- name: taken_of_turn
SELECT t.id FROM turn t WHERE t.id IN (SELECT value FROM json_each(:ids))
UNION ALL
SELECT n.answer_id AS id FROM note n WHERE n.answer_id IN (SELECT value FROM json_each(:ids)) LIMIT 1

-- name: taken_of_note
SELECT id FROM note WHERE short_id IN (SELECT substr(value, 1, 8) FROM json_each(:ids)) LIMIT 1

-- Seen by someone, or being taken away
-- name: in_use
SELECT 1 AS found FROM member WHERE notebook_id = :notebook_id
UNION ALL
SELECT 1 AS found FROM job WHERE notebook_id = :notebook_id LIMIT 1

-- Of notebooks that were on their way in when their job ended otherwise than well
-- name: failed_transfers
SELECT j.payload, j.person_id FROM job j WHERE j.kind IN ('import_notebook', 'copy_notebook')
AND j.state IN ('failed', 'cancelled')

-- name: turns_of_moved
SELECT * FROM turn WHERE conversation_id = :conversation_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: blob_size
SELECT size FROM blob WHERE sha256 = :sha256

-- name: artifacts_to_move
SELECT * FROM artifact WHERE notebook_id = :notebook_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: artifact_files_to_move
SELECT format, place, media_type, sha256 FROM artifact_file WHERE artifact_id = :id ORDER BY place, format

-- name: artifact_versions_to_move
SELECT source_id, version FROM artifact_version WHERE artifact_id = :id ORDER BY source_id, version

-- name: insert_moved_artifact
INSERT INTO artifact (id, notebook_id, person_id, kind, title, titled, state, draft, options, instructions, language,
    source_ids, made_of, outline, content, maker, warnings, error, created_at, updated_at)
VALUES (:id, :notebook_id, :person_id, :kind, :title, :titled, :state, :draft, :options, :instructions, :language,
    :source_ids, :made_of, :outline, :content, :maker, :warnings, :error, :created_at, :updated_at)

-- name: taken_of_artifact
SELECT id FROM artifact WHERE id IN (SELECT value FROM json_each(:ids)) LIMIT 1
