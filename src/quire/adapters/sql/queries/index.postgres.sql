-- name: next_generation
INSERT INTO generation (notebook_id, number) VALUES (:notebook_id, CAST(random() * 9e18 AS BIGINT))
ON CONFLICT (notebook_id) DO UPDATE SET number = excluded.number

-- name: add_to_totals
INSERT INTO generation (notebook_id, number, passages, words)
VALUES (:notebook_id, CAST(random() * 9e18 AS BIGINT), :passages, :words)
ON CONFLICT (notebook_id) DO UPDATE SET
    number = excluded.number,
    passages = generation.passages + excluded.passages,
    words = generation.words + excluded.words

-- name: no_totals
UPDATE generation SET number = CAST(random() * 9e18 AS BIGINT), passages = 0, words = 0
WHERE notebook_id = :notebook_id

-- name: generations_of
SELECT notebook_id, number, passages, words FROM generation
WHERE notebook_id IN (SELECT jsonb_array_elements_text(CAST(:notebook_ids AS jsonb)))

-- name: passages_of_sources
SELECT seq FROM passage
WHERE notebook_id = :notebook_id AND source_id IN (SELECT jsonb_array_elements_text(CAST(:source_ids AS jsonb)))

-- name: vectors_by_passage
SELECT passage_seq, vector FROM passage_vector
WHERE passage_seq IN (SELECT CAST(jsonb_array_elements_text(CAST(:seqs AS jsonb)) AS BIGINT)) AND model = :model

-- name: passages_by_seq
SELECT p.seq, p.source_id, p.version, p.start_at, p.end_at, p.place, p.text, s.title, v.language
FROM passage p JOIN source s ON s.id = p.source_id
JOIN source_version v ON v.source_id = p.source_id AND v.version = p.version
WHERE p.seq IN (SELECT CAST(jsonb_array_elements_text(CAST(:seqs AS jsonb)) AS BIGINT))

-- name: visible_vectors_of
SELECT passage_seq, vector FROM passage_vector
WHERE notebook_id = :notebook_id AND model = :model AND passage_seq NOT IN (
    SELECT p.seq FROM hidden_version h JOIN passage p ON p.source_id = h.source_id AND p.version = h.version)
