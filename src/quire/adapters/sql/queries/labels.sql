-- name: role_in_label
SELECT m.role, l.notebook_id
FROM label l JOIN member m ON m.notebook_id = l.notebook_id AND m.person_id = :person_id
WHERE l.id = :id

-- name: insert_label
INSERT INTO label (id, notebook_id, name, emoji, generated, created_at, updated_at)
VALUES (:id, :notebook_id, :name, :emoji, :generated, :at, :at)

-- name: label_by_id
SELECT * FROM label WHERE id = :id

-- name: labels_of
SELECT * FROM label WHERE notebook_id = :notebook_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: count_labels
SELECT count(*) AS total FROM label WHERE notebook_id = :notebook_id

-- name: members_of_labels
SELECT l.id AS label_id, s.id AS source_id FROM label l
JOIN label_source m ON m.label_id = l.id JOIN source s ON s.id = m.source_id
WHERE l.notebook_id = :notebook_id ORDER BY s.seq

-- name: members_of_label
SELECT s.id AS source_id FROM label_source m JOIN source s ON s.id = m.source_id
WHERE m.label_id = :id ORDER BY s.seq

-- name: sources_of_label
SELECT s.*, v.language, v.warnings, v.characters, v.passages, v.hash, j.state AS job_state, j.error AS job_error
FROM label_source m JOIN source s ON s.id = m.source_id
LEFT JOIN source_version v ON v.source_id = s.id AND v.version = s.version
LEFT JOIN job j ON j.id = s.job_id
WHERE m.label_id = :id AND s.seq > :after ORDER BY s.seq LIMIT :limit

-- name: count_sources_of_label
SELECT count(*) AS total FROM label_source WHERE label_id = :id

-- name: update_label
UPDATE label SET name = :name, emoji = :emoji, generated = :generated, updated_at = :at WHERE id = :id

-- name: touch_label
UPDATE label SET generated = :generated, updated_at = :at WHERE id = :id

-- A source may be gone by the time that it is labelled
-- name: add_to_label
INSERT INTO label_source (label_id, source_id)
SELECT l.id, s.id FROM label l JOIN source s ON s.notebook_id = l.notebook_id WHERE l.id = :id AND s.id = :source_id
ON CONFLICT (label_id, source_id) DO NOTHING

-- name: remove_from_label
DELETE FROM label_source WHERE label_id = :id AND source_id = :source_id

-- name: delete_label
DELETE FROM label WHERE id = :id AND notebook_id = :notebook_id

-- name: source_in_notebook
SELECT 1 AS found FROM source WHERE id = :id AND notebook_id = :notebook_id

-- name: labelled_by
SELECT sources FROM labelling WHERE notebook_id = :notebook_id

-- name: set_labelled_by
INSERT INTO labelling (notebook_id, sources) VALUES (:notebook_id, :sources)
ON CONFLICT (notebook_id) DO UPDATE SET sources = excluded.sources

-- name: versions_of_sources
SELECT id, version FROM source WHERE notebook_id = :notebook_id AND version > 0 ORDER BY seq

-- The beginning of each text, and three pieces of what comes after it
-- name: samples_of_sources
SELECT s.seq, s.id, s.title, v.language, substr(v.text, 1, :most) AS beginning,
    CASE WHEN v.characters <= :most THEN '' ELSE
        substr(v.text, CAST(v.characters / 4 AS INTEGER), :piece) || ' ' ||
        substr(v.text, CAST(v.characters / 2 AS INTEGER), :piece) || ' ' ||
        substr(v.text, CAST(v.characters * 3 / 4 AS INTEGER), :piece) END AS pieces
FROM source s JOIN source_version v ON v.source_id = s.id AND v.version = s.version
WHERE s.notebook_id = :notebook_id AND s.seq > :after ORDER BY s.seq LIMIT :limit

-- name: passage_sources
SELECT p.seq, p.source_id FROM passage p JOIN source s ON s.id = p.source_id AND s.version = p.version
WHERE p.notebook_id = :notebook_id

-- A collection is its maker's alone. What happens to it is told in the maker's inbox.
-- name: role_in_collection
SELECT m.role, n.id AS notebook_id
FROM collection c JOIN notebook n ON n.inbox_of = c.person_id
    JOIN member m ON m.notebook_id = n.id AND m.person_id = c.person_id
WHERE c.id = :id AND c.person_id = :person_id

-- name: insert_collection
INSERT INTO collection (id, person_id, name, emoji, created_at, updated_at)
VALUES (:id, :person_id, :name, :emoji, :at, :at)

-- name: collection_by_id
SELECT * FROM collection WHERE id = :id

-- name: collections_of
SELECT * FROM collection WHERE person_id = :person_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: count_collections
SELECT count(*) AS total FROM collection WHERE person_id = :person_id

-- Notebooks that the person may no longer read are left out, and are there again once they may
-- name: members_of_collections
SELECT c.id AS collection_id, n.id AS notebook_id FROM collection c
JOIN collection_notebook b ON b.collection_id = c.id JOIN notebook n ON n.id = b.notebook_id
JOIN member m ON m.notebook_id = n.id AND m.person_id = c.person_id
WHERE c.person_id = :person_id ORDER BY n.seq

-- name: notebooks_of_collection
SELECT n.*, m.role, share.view_level, (SELECT count(*) FROM source s WHERE s.notebook_id = n.id) AS source_count
FROM collection c JOIN collection_notebook b ON b.collection_id = c.id JOIN notebook n ON n.id = b.notebook_id
JOIN member m ON m.notebook_id = n.id AND m.person_id = c.person_id
LEFT JOIN share ON share.notebook_id = n.id
WHERE c.id = :id AND n.seq > :after ORDER BY n.seq LIMIT :limit

-- name: count_notebooks_of_collection
SELECT count(*) AS total FROM collection c JOIN collection_notebook b ON b.collection_id = c.id
JOIN member m ON m.notebook_id = b.notebook_id AND m.person_id = c.person_id
WHERE c.id = :id

-- name: update_collection
UPDATE collection SET name = :name, emoji = :emoji, updated_at = :at WHERE id = :id

-- name: add_to_collection
INSERT INTO collection_notebook (collection_id, notebook_id) VALUES (:id, :notebook_id)
ON CONFLICT (collection_id, notebook_id) DO NOTHING

-- name: remove_from_collection
DELETE FROM collection_notebook WHERE collection_id = :id AND notebook_id = :notebook_id

-- name: delete_collection
DELETE FROM collection WHERE id = :id AND person_id = :person_id
