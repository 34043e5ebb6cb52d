-- name: give_short_id
INSERT INTO short_id (short_id) VALUES (:short_id) ON CONFLICT (short_id) DO NOTHING

-- name: insert_note
INSERT INTO note (id, short_id, notebook_id, title, content, folded_title, folded_content, created_at)
VALUES (:id, :short_id, :notebook_id, :title, :content, :folded_title, :folded_content, :at)
RETURNING id, short_id, notebook_id, title, content, created_at, updated_at, revision

-- name: note_by_id
SELECT id, short_id, notebook_id, title, content, created_at, updated_at, revision FROM note
WHERE id = :id OR short_id = :id

-- A row looks for a column from the first on, so the one that is hardly read stands last.
-- name: notes_of
SELECT id, short_id, notebook_id, title, content, created_at, updated_at, revision, seq FROM note
WHERE notebook_id = :notebook_id AND seq < :before ORDER BY seq DESC LIMIT :limit

-- name: notes_after
SELECT seq, id, short_id, notebook_id, title, content, created_at, updated_at, revision FROM note
WHERE notebook_id = :notebook_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: count_notes
SELECT count(*) AS total FROM note WHERE notebook_id = :notebook_id

-- name: search_notes
SELECT seq FROM note
WHERE notebook_id = :notebook_id AND (instr(folded_content, :query) > 0 OR instr(folded_title, :query) > 0)
ORDER BY seq DESC

-- name: notes_by_seq
SELECT id, short_id, notebook_id, title, content, created_at, updated_at, revision FROM note
WHERE seq IN (SELECT value FROM json_each(:seqs)) ORDER BY seq DESC

-- name: note_to_change
SELECT id, short_id, notebook_id, title, content, created_at, updated_at, revision FROM note
WHERE id = :id OR short_id = :id

-- A text that is the same is no new revision.
-- name: update_note
UPDATE note SET title = :title, content = :content, folded_title = :folded_title, folded_content = :folded_content,
    updated_at = :at, revision = revision + CASE WHEN title = :title AND content = :content THEN 0 ELSE 1 END
WHERE id = :id
RETURNING id, short_id, notebook_id, title, content, created_at, updated_at, revision

-- name: delete_note
DELETE FROM note WHERE id = :id

-- name: insert_deleted_note
INSERT INTO deleted_note (notebook_id, note_id, at) VALUES (:notebook_id, :note_id, :at)
ON CONFLICT (notebook_id, note_id) DO NOTHING

-- name: deleted_notes
SELECT note_id FROM deleted_note WHERE notebook_id = :notebook_id ORDER BY at DESC, note_id LIMIT :limit

-- name: note_of_answer
SELECT id, short_id, notebook_id, title, content, created_at, updated_at, revision FROM note
WHERE answer_id = :answer_id

-- name: set_note_answer
UPDATE note SET answer_id = :answer_id WHERE id = :id

-- name: note_with_blob
SELECT n.id, n.short_id, n.notebook_id, n.title, n.content, n.created_at, n.updated_at, n.revision
FROM note n JOIN blob_use u ON u.kind = 'note' AND u.subject_id = n.id
WHERE u.sha256 = :sha256 AND n.notebook_id = :notebook_id
ORDER BY n.seq LIMIT 1

-- name: notes_titled
SELECT seq, title, content FROM note
WHERE notebook_id = :notebook_id AND seq > :after AND title IN (SELECT value FROM json_each(:titles)) ORDER BY seq
