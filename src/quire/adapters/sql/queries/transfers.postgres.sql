-- name: taken_of_notebook
SELECT id FROM notebook WHERE id IN (SELECT jsonb_array_elements_text(CAST(:ids AS jsonb))) LIMIT 1

-- name: taken_of_source
SELECT id FROM source WHERE id IN (SELECT jsonb_array_elements_text(CAST(:ids AS jsonb))) LIMIT 1

-- name: taken_of_label
SELECT id FROM label WHERE id IN (SELECT jsonb_array_elements_text(CAST(:ids AS jsonb))) LIMIT 1

-- name: taken_of_conversation
SELECT id FROM conversation WHERE id IN (SELECT jsonb_array_elements_text(CAST(:ids AS jsonb))) LIMIT 1

-- name: taken_of_turn
SELECT t.id FROM turn t WHERE t.id IN (SELECT jsonb_array_elements_text(CAST(:ids AS jsonb)))
UNION ALL
SELECT n.answer_id AS id FROM note n WHERE n.answer_id IN (SELECT jsonb_array_elements_text(CAST(:ids AS jsonb))) LIMIT 1

-- name: taken_of_note
SELECT id FROM note
WHERE short_id IN (SELECT substr(value, 1, 8) FROM jsonb_array_elements_text(CAST(:ids AS jsonb)) AS given (value)) LIMIT 1

-- name: taken_of_artifact
SELECT id FROM artifact WHERE id IN (SELECT jsonb_array_elements_text(CAST(:ids AS jsonb))) LIMIT 1
