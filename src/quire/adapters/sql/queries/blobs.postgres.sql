-- name: note_blobs
SELECT u.subject_id AS note_id, u.sha256 FROM note n JOIN blob_use u ON u.kind = 'note' AND u.subject_id = n.id
WHERE n.notebook_id = :notebook_id AND n.id IN (SELECT jsonb_array_elements_text(CAST(:note_ids AS jsonb)))
