-- Drawn and not counted up: a number that was rolled back must never come again.
-- name: next_generation
INSERT INTO generation (notebook_id, number) VALUES (:notebook_id, random())
ON CONFLICT (notebook_id) DO UPDATE SET number = excluded.number

-- name: generation_of
SELECT number, passages, words FROM generation WHERE notebook_id = :notebook_id

-- name: generations_of
SELECT notebook_id, number, passages, words FROM generation
WHERE notebook_id IN (SELECT value FROM json_each(:notebook_ids))

-- name: count_generations
SELECT count(*) AS total FROM generation WHERE passages > 0

-- name: add_to_totals
INSERT INTO generation (notebook_id, number, passages, words) VALUES (:notebook_id, random(), :passages, :words)
ON CONFLICT (notebook_id) DO UPDATE SET
    number = excluded.number,
    passages = generation.passages + excluded.passages,
    words = generation.words + excluded.words

-- name: no_totals
UPDATE generation SET number = random(), passages = 0, words = 0 WHERE notebook_id = :notebook_id

-- name: notebook_number
SELECT seq FROM notebook WHERE id = :notebook_id

-- name: passages_of_sources
SELECT seq FROM passage
WHERE notebook_id = :notebook_id AND source_id IN (SELECT value FROM json_each(:source_ids))

-- A passage may be gone by the time its vector is made.
-- name: insert_vector
INSERT INTO passage_vector (passage_seq, model, notebook_id, vector)
SELECT seq, CAST(:model AS TEXT), notebook_id, :vector FROM passage WHERE seq = :passage_seq
ON CONFLICT (passage_seq, model) DO NOTHING

-- name: vectors_of
SELECT passage_seq, vector FROM passage_vector
WHERE notebook_id = :notebook_id AND model = :model

-- name: visible_vectors_of
SELECT passage_seq, vector FROM passage_vector
WHERE notebook_id = :notebook_id AND model = :model AND passage_seq NOT IN (
    SELECT p.seq FROM hidden_version h CROSS JOIN passage p ON p.source_id = h.source_id AND p.version = h.version)

-- name: vectors_by_passage
SELECT passage_seq, vector FROM passage_vector
WHERE passage_seq IN (SELECT value FROM json_each(:seqs)) AND model = :model

-- The other index would have each text read to get at its language.
-- name: passages_by_seq
SELECT p.seq, p.source_id, p.version, p.start_at, p.end_at, p.place, p.text, s.title, v.language
FROM passage p JOIN source s ON s.id = p.source_id
JOIN source_version v INDEXED BY source_version_language ON v.source_id = p.source_id AND v.version = p.version
WHERE p.seq IN (SELECT value FROM json_each(:seqs))

-- Notebooks with passages of which full text knows nothing.
-- name: uncounted_notebooks
SELECT DISTINCT p.notebook_id FROM passage p
JOIN notebook n ON n.id = p.notebook_id
LEFT JOIN generation g ON g.notebook_id = p.notebook_id
WHERE coalesce(g.passages, 0) = 0

-- name: passages_to_index
SELECT p.seq, p.text, s.title, v.language FROM passage p
JOIN source s ON s.id = p.source_id
JOIN source_version v ON v.source_id = p.source_id AND v.version = p.version
WHERE p.notebook_id = :notebook_id AND p.seq > :after ORDER BY p.seq LIMIT :limit
