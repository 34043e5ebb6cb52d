-- name: insert_person
INSERT INTO person (id, name, email, created_at) VALUES (:id, :name, :email, :at)
ON CONFLICT (id) DO NOTHING

-- By id or address
-- name: person_called
SELECT id, name, email, created_at FROM person WHERE id = :called OR email = lower(:called)

-- name: change_person
UPDATE person SET name = :name, email = :email WHERE id = :id

-- name: delete_person
DELETE FROM person WHERE id = :id

-- The server is the owner's; everyone else who is there has a place in it. What happens is told in their own inbox.
-- name: role_in_server
SELECT CASE WHEN n.inbox_of = 'owner' THEN 3 ELSE 1 END AS role, n.id AS notebook_id
FROM notebook n WHERE n.inbox_of = :person_id

-- Oneself, and anyone for the server's owner
-- name: role_in_person
SELECT CASE WHEN :person_id = 'owner' THEN 3 ELSE 2 END AS role, n.id AS notebook_id
FROM person p JOIN notebook n ON n.inbox_of = p.id
WHERE (p.id = :id OR p.email = lower(:id)) AND (p.id = :person_id OR :person_id = 'owner')

-- name: role_in_token
SELECT CASE WHEN :person_id = 'owner' THEN 3 ELSE 2 END AS role, n.id AS notebook_id
FROM person_token t JOIN notebook n ON n.inbox_of = t.person_id
WHERE t.id = :id AND (t.person_id = :person_id OR :person_id = 'owner')

-- name: insert_token
INSERT INTO person_token (id, person_id, hash, label, created_at, expires_at)
VALUES (:id, :person_id, :hash, :label, :at, :expires_at)

-- name: token_by_hash
SELECT t.*, p.name, p.email FROM person_token t JOIN person p ON p.id = t.person_id
WHERE t.hash = :hash AND (t.expires_at IS NULL OR t.expires_at > :now)

-- name: token_by_id
SELECT t.*, p.name, p.email FROM person_token t JOIN person p ON p.id = t.person_id
WHERE t.id = :id AND (t.expires_at IS NULL OR t.expires_at > :now)

-- name: tokens_of
SELECT * FROM person_token WHERE person_id = :person_id ORDER BY seq

-- name: count_tokens
SELECT count(*) AS total FROM person_token WHERE person_id = :person_id

-- name: token_used
UPDATE person_token SET used_at = :at WHERE id = :id

-- name: delete_token
DELETE FROM person_token WHERE id = :id

-- name: sweep_tokens
DELETE FROM person_token WHERE expires_at < :before

-- What somebody owns alone, and what of it is a book's
-- name: owned_alone
SELECT n.id, n.title, n.inbox_of, b.book_id FROM member m JOIN notebook n ON n.id = m.notebook_id
LEFT JOIN book b ON b.notebook_id = n.id
WHERE m.person_id = :person_id AND m.role = 3 AND NOT EXISTS (
    SELECT 1 FROM member other WHERE other.notebook_id = n.id AND other.role = 3 AND other.person_id <> :person_id)
ORDER BY n.seq

-- name: make_plain_notebook
UPDATE notebook SET inbox_of = NULL, title = :title WHERE id = :id

-- name: give_jobs
UPDATE job SET person_id = :to WHERE person_id = :person_id

-- name: delete_conversations_of_person
DELETE FROM conversation WHERE person_id = :person_id

-- name: insert_sharing_log
INSERT INTO sharing_log (at, actor_id, actor, action, subject, notebook_id, title, detail)
VALUES (:at, :actor_id, :actor, :action, :subject, :notebook_id, :title, :detail)

-- name: sharing_log_before
SELECT * FROM sharing_log WHERE seq < :before AND (:notebook_id = '' OR notebook_id = :notebook_id)
ORDER BY seq DESC LIMIT :limit

-- name: count_sharing_log
SELECT count(*) AS total FROM sharing_log WHERE (:notebook_id = '' OR notebook_id = :notebook_id)

-- name: all_people
SELECT id, name, email, created_at FROM person ORDER BY created_at, id

-- name: person_by_email
SELECT id, name, email, created_at FROM person WHERE email = :email

-- Whether it holds or not
-- name: token_kept
SELECT * FROM person_token WHERE id = :id

-- name: anything_in_notebook
SELECT id FROM notebook n WHERE n.id = :id AND (
    EXISTS (SELECT 1 FROM note WHERE notebook_id = n.id) OR EXISTS (SELECT 1 FROM source WHERE notebook_id = n.id))
