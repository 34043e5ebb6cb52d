-- name: insert_passages
INSERT INTO passage (notebook_id, source_id, version, start_at, end_at, place, text, hash)
SELECT :notebook_id, :source_id, :version, CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT),
    value ->> 2, value ->> 3, value ->> 4
FROM json_array_elements(CAST(:passages AS json)) WITH ORDINALITY AS given (value, number) ORDER BY number
RETURNING seq
