-- name: insert_passages
INSERT INTO passage (notebook_id, source_id, version, start_at, end_at, place, text, hash)
SELECT :notebook_id, :source_id, :version, CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT),
    value ->> 2, value ->> 3, value ->> 4
FROM json_array_elements(CAST(:passages AS json)) WITH ORDINALITY AS given (value, number) ORDER BY number
RETURNING seq

-- name: source_to_change
SELECT notebook_id FROM source WHERE id = :id FOR UPDATE

-- name: delete_passages_by_seq
DELETE FROM passage WHERE seq IN (SELECT CAST(jsonb_array_elements_text(CAST(:seqs AS jsonb)) AS BIGINT))

-- name: keep_vectors
INSERT INTO passage_vector (passage_seq, model, notebook_id, vector)
SELECT CAST(value ->> 0 AS BIGINT), v.model, v.notebook_id, v.vector
FROM json_array_elements(CAST(:same AS json)) AS given (value)
JOIN passage_vector v ON v.passage_seq = CAST(value ->> 1 AS BIGINT)
ON CONFLICT (passage_seq, model) DO NOTHING
