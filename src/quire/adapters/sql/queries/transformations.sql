-- name: role_in_transformation
SELECT m.role, n.id AS notebook_id
FROM transformation t JOIN notebook n ON n.inbox_of = t.person_id
    JOIN member m ON m.notebook_id = n.id AND m.person_id = t.person_id
WHERE t.id = :id AND t.person_id = :person_id

-- name: insert_transformation
INSERT INTO transformation (id, person_id, name, prompt, created_at, updated_at)
VALUES (:id, :person_id, :name, :prompt, :at, :at)

-- name: transformation_by_id
SELECT id, person_id, name, prompt, created_at, updated_at FROM transformation WHERE id = :id

-- name: transformations_of
SELECT seq, id, person_id, name, prompt, created_at, updated_at FROM transformation
WHERE person_id = :person_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: count_transformations
SELECT count(*) AS total FROM transformation WHERE person_id = :person_id

-- name: update_transformation
UPDATE transformation SET name = :name, prompt = :prompt, updated_at = :at WHERE id = :id

-- name: delete_transformation
DELETE FROM transformation WHERE id = :id

-- name: insert_transformed_note
INSERT INTO transformed_note (note_id, source_id, transformation_id, version, revision, made_at)
VALUES (:note_id, :source_id, :transformation_id, :version, :revision, :at)

-- name: update_transformed_note
UPDATE transformed_note SET version = :version, revision = :revision, made_at = :at WHERE note_id = :note_id

-- The last note that a transformation made of a source, unless it was changed since by hand
-- name: note_to_transform_again
SELECT n.id, n.short_id, n.notebook_id, n.title, n.content, n.created_at, n.updated_at, n.revision
FROM transformed_note t JOIN note n ON n.id = t.note_id AND n.revision = t.revision
WHERE t.source_id = :source_id AND t.transformation_id = :transformation_id AND n.notebook_id = :notebook_id
ORDER BY t.seq DESC LIMIT 1

-- name: transformed_notes_of
SELECT t.seq, t.note_id, n.title AS note_title, t.source_id, s.title AS source_title, t.transformation_id, t.version,
    s.version AS last_version, t.made_at
FROM transformed_note t JOIN note n ON n.id = t.note_id JOIN source s ON s.id = t.source_id
WHERE n.notebook_id = :notebook_id AND t.seq < :before ORDER BY t.seq DESC LIMIT :limit

-- name: count_transformed_notes
SELECT count(*) AS total FROM transformed_note t JOIN note n ON n.id = t.note_id WHERE n.notebook_id = :notebook_id
