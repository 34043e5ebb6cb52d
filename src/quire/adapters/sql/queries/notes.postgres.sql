-- name: search_notes
SELECT seq FROM note
WHERE notebook_id = :notebook_id AND (strpos(folded_content, :query) > 0 OR strpos(folded_title, :query) > 0)
ORDER BY seq DESC

-- Held until commit, so that of two changes at once the second sees the first.
-- name: note_to_change
SELECT id, short_id, notebook_id, title, content, created_at, updated_at, revision FROM note
WHERE id = :id OR short_id = :id FOR UPDATE

-- name: notes_by_seq
SELECT id, short_id, notebook_id, title, content, created_at, updated_at, revision FROM note
WHERE seq IN (SELECT CAST(jsonb_array_elements_text(CAST(:seqs AS jsonb)) AS BIGINT)) ORDER BY seq DESC

-- name: notes_titled
SELECT seq, title, content FROM note
WHERE notebook_id = :notebook_id AND seq > :after
AND title IN (SELECT jsonb_array_elements_text(CAST(:titles AS jsonb))) ORDER BY seq
