-- name: search_notes
SELECT seq FROM note
WHERE notebook_id = :notebook_id AND (strpos(folded_content, :query) > 0 OR strpos(folded_title, :query) > 0)
ORDER BY seq DESC
