-- name: insert_blob
INSERT INTO blob (sha256, size, created_at) VALUES (:sha256, :size, :at)
ON CONFLICT (sha256) DO UPDATE SET created_at = :at

-- name: use_blob
INSERT INTO blob_use (sha256, kind, subject_id) VALUES (:sha256, :kind, :subject_id)
ON CONFLICT (sha256, kind, subject_id) DO NOTHING

-- name: release_job_blobs
DELETE FROM blob_use WHERE kind = 'job'
    AND subject_id NOT IN (SELECT id FROM job WHERE finished_at IS NULL OR finished_at >= :before)

-- name: release_blobs
DELETE FROM blob_use WHERE kind = :kind AND subject_id = :subject_id

-- name: release_source_blobs
DELETE FROM blob_use WHERE kind = 'source' AND NOT EXISTS (SELECT 1 FROM source s WHERE s.id = blob_use.subject_id)

-- What is kept beside notes
-- name: note_blobs
SELECT u.subject_id AS note_id, u.sha256 FROM note n JOIN blob_use u ON u.kind = 'note' AND u.subject_id = n.id
WHERE n.notebook_id = :notebook_id AND n.id IN (SELECT value FROM json_each(:note_ids))

-- name: release_note_blobs
DELETE FROM blob_use WHERE kind = 'note' AND NOT EXISTS (SELECT 1 FROM note n WHERE n.id = blob_use.subject_id)

-- name: unused_blobs
SELECT sha256 FROM blob b
WHERE created_at < :before AND NOT EXISTS (SELECT 1 FROM blob_use u WHERE u.sha256 = b.sha256)
ORDER BY created_at LIMIT :limit

-- name: delete_blob
DELETE FROM blob WHERE sha256 = :sha256 AND created_at < :before
    AND NOT EXISTS (SELECT 1 FROM blob_use u WHERE u.sha256 = :sha256)
