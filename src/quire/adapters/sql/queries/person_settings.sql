-- name: person_setting
SELECT value FROM person_setting WHERE person_id = :person_id AND name = :name

-- name: set_person_setting
INSERT INTO person_setting (person_id, name, value, updated_at) VALUES (:person_id, :name, :value, :at)
ON CONFLICT (person_id, name) DO UPDATE SET value = :value, updated_at = :at

-- name: delete_person_setting
DELETE FROM person_setting WHERE person_id = :person_id AND name = :name

-- What is in the notebooks that are a person's own
-- name: usage_of_person
SELECT
    (SELECT count(*) FROM member m WHERE m.person_id = :person_id AND m.role = :owner) AS notebooks,
    (SELECT count(*) FROM source s JOIN member m ON m.notebook_id = s.notebook_id
        WHERE m.person_id = :person_id AND m.role = :owner) AS sources,
    (SELECT sum(v.characters) FROM source s JOIN member m ON m.notebook_id = s.notebook_id
        JOIN source_version v ON v.source_id = s.id AND v.version = s.version
        WHERE m.person_id = :person_id AND m.role = :owner) AS characters,
    (SELECT count(*) FROM note n JOIN member m ON m.notebook_id = n.notebook_id
        WHERE m.person_id = :person_id AND m.role = :owner) AS notes,
    (SELECT count(*) FROM conversation c WHERE c.person_id = :person_id) AS conversations,
    (SELECT sum(b.size) FROM blob b WHERE b.sha256 IN (
        SELECT u.sha256 FROM blob_use u JOIN source s ON s.id = u.subject_id JOIN member m ON m.notebook_id = s.notebook_id
        WHERE u.kind = 'source' AND m.person_id = :person_id AND m.role = :owner)) AS file_size,
    (SELECT count(*) FROM job j WHERE j.person_id = :person_id AND j.finished_at IS NULL) AS jobs
