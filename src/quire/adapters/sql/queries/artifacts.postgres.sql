-- name: artifact_by_id
SELECT a.*, j.state AS job_state, j.done, j.total, j.message, j.error AS job_error,
    coalesce((SELECT json_agg(f.format ORDER BY f.place) FROM artifact_file f WHERE f.artifact_id = a.id)::text, '[]')
    AS formats
FROM artifact a LEFT JOIN job j ON j.id = a.job_id WHERE a.id = :id

-- name: artifacts_of
SELECT a.seq, a.id, a.notebook_id, a.person_id, a.job_id, a.kind, a.title, a.state, a.draft, a.options, a.instructions,
    a.language, a.source_ids, a.made_of, a.maker, a.warnings, a.error, a.created_at, a.updated_at,
    j.state AS job_state, j.done, j.total, j.message, j.error AS job_error,
    coalesce((SELECT json_agg(f.format ORDER BY f.place) FROM artifact_file f WHERE f.artifact_id = a.id)::text, '[]')
    AS formats
FROM artifact a LEFT JOIN job j ON j.id = a.job_id
WHERE a.notebook_id = :notebook_id AND (:kind = '' OR a.kind = :kind) AND a.seq < :before
ORDER BY a.seq DESC LIMIT :limit
