-- name: insert_notebook
INSERT INTO notebook (id, title, inbox_of, created_at, updated_at)
VALUES (:id, :title, :inbox_of, :at, :at)

-- name: insert_member
INSERT INTO member (notebook_id, person_id, role) VALUES (:notebook_id, :person_id, :role)

-- name: role_in_notebook
SELECT m.role, m.notebook_id FROM member m
WHERE m.notebook_id = :id AND m.person_id = :person_id

-- name: role_in_inbox
SELECT m.role, n.id AS notebook_id
FROM notebook n JOIN member m ON m.notebook_id = n.id AND m.person_id = n.inbox_of
WHERE n.inbox_of = :person_id

-- name: role_in_note
SELECT m.role, n.notebook_id
FROM note n JOIN member m ON m.notebook_id = n.notebook_id AND m.person_id = :person_id
WHERE n.id = :id OR n.short_id = :id

-- The export of a notebook holds the conversations of whoever asked for it
-- name: role_in_job
SELECT m.role, j.notebook_id
FROM job j JOIN member m ON m.notebook_id = j.notebook_id AND m.person_id = :person_id
WHERE j.id = :id AND (j.kind <> 'export_notebook' OR j.person_id = :person_id)

-- name: notebook_by_id
SELECT n.*, m.role, share.view_level, (SELECT count(*) FROM source s WHERE s.notebook_id = n.id) AS source_count
FROM notebook n JOIN member m ON m.notebook_id = n.id AND m.person_id = :person_id
LEFT JOIN share ON share.notebook_id = n.id
WHERE n.id = :id

-- name: notebooks_of
SELECT n.*, m.role, share.view_level, (SELECT count(*) FROM source s WHERE s.notebook_id = n.id) AS source_count
FROM notebook n JOIN member m ON m.notebook_id = n.id AND m.person_id = :person_id
LEFT JOIN share ON share.notebook_id = n.id
WHERE n.seq < :before AND NOT EXISTS (SELECT 1 FROM book b WHERE b.notebook_id = n.id)
ORDER BY n.seq DESC LIMIT :limit

-- name: count_notebooks_of
SELECT count(*) AS total FROM member m WHERE m.person_id = :person_id
    AND NOT EXISTS (SELECT 1 FROM book b WHERE b.notebook_id = m.notebook_id)

-- name: book_that_has_notebook
SELECT book_id FROM book WHERE notebook_id = :id

-- name: rename_notebook
UPDATE notebook SET title = :title, updated_at = :at WHERE id = :id

-- name: set_notebook_emoji
UPDATE notebook SET emoji = :emoji, updated_at = :at WHERE id = :id

-- Held until commit, so that of two who look whether something is there already the second sees the first.
-- name: lock_notebook
SELECT id FROM notebook WHERE id = :id

-- Passages, questions and notes, counted no further than asked
-- name: count_up_to_in_notebook
SELECT count(*) AS total FROM (
    SELECT 1 FROM passage WHERE notebook_id = :notebook_id
    UNION ALL
    SELECT 1 FROM conversation c JOIN turn t ON t.conversation_id = c.id WHERE c.notebook_id = :notebook_id
    UNION ALL
    SELECT 1 FROM note WHERE notebook_id = :notebook_id
    LIMIT :limit
) AS counted

-- name: delete_members
DELETE FROM member WHERE notebook_id = :notebook_id

-- name: delete_jobs
DELETE FROM job WHERE notebook_id = :notebook_id

-- name: delete_some_turns
DELETE FROM turn WHERE seq IN (
    SELECT t.seq FROM conversation c JOIN turn t ON t.conversation_id = c.id WHERE c.notebook_id = :notebook_id
    LIMIT :limit)

-- name: delete_some_notes
DELETE FROM note WHERE seq IN (SELECT seq FROM note WHERE notebook_id = :notebook_id LIMIT :limit)

-- name: left_over_notebooks
SELECT DISTINCT notebook_id FROM job WHERE kind = 'take_away' AND finished_at IS NOT NULL

-- name: delete_notebook
DELETE FROM notebook WHERE id = :id

-- name: touch_notebook
UPDATE notebook SET updated_at = :at WHERE id = :id

-- name: notebooks_to_ask
SELECT n.id, n.title, m.role, share.view_level
FROM notebook n JOIN member m ON m.notebook_id = n.id AND m.person_id = :person_id
LEFT JOIN share ON share.notebook_id = n.id
WHERE EXISTS (SELECT 1 FROM source s WHERE s.notebook_id = n.id)
    AND NOT EXISTS (SELECT 1 FROM book b WHERE b.notebook_id = n.id)
ORDER BY n.seq DESC LIMIT :limit

-- name: notebooks_named
SELECT n.id, n.title, m.role, share.view_level
FROM notebook n JOIN member m ON m.notebook_id = n.id AND m.person_id = :person_id
LEFT JOIN share ON share.notebook_id = n.id
WHERE n.id IN (SELECT value FROM json_each(:notebook_ids)) LIMIT :limit

-- name: notebooks_of_sources
SELECT id, notebook_id FROM source WHERE id IN (SELECT value FROM json_each(:source_ids))

-- name: unread_in_notebooks
SELECT title FROM source WHERE state = 'processing' AND notebook_id IN (SELECT value FROM json_each(:notebook_ids))
ORDER BY seq LIMIT :limit

-- name: viewed_at
SELECT at FROM viewed WHERE person_id = :person_id AND notebook_id = :notebook_id

-- A notebook may be gone by the time that it is noted
-- name: set_viewed
INSERT INTO viewed (person_id, notebook_id, at)
SELECT m.person_id, m.notebook_id, :at FROM member m WHERE m.person_id = :person_id AND m.notebook_id = :notebook_id
ON CONFLICT (person_id, notebook_id) DO UPDATE SET at = excluded.at

-- name: forget_viewed
DELETE FROM viewed WHERE person_id = :person_id AND notebook_id = :notebook_id

-- name: recently_viewed
SELECT v.notebook_id, v.at FROM viewed v JOIN member m ON m.notebook_id = v.notebook_id AND m.person_id = v.person_id
WHERE v.person_id = :person_id ORDER BY v.at DESC, v.notebook_id LIMIT :limit
