-- name: insert_job
INSERT INTO job (id, kind, notebook_id, person_id, payload, run_after, created_at)
VALUES (:id, :kind, :notebook_id, :person_id, :payload, :at, :at)

-- name: job_by_id
SELECT * FROM job WHERE id = :id

-- name: jobs_of
SELECT j.* FROM job j JOIN member m ON m.notebook_id = j.notebook_id AND m.person_id = :person_id
WHERE j.seq < :before AND (:notebook_id = '' OR j.notebook_id = :notebook_id)
ORDER BY j.seq DESC LIMIT :limit

-- name: count_jobs_of
SELECT count(*) AS total FROM job j JOIN member m ON m.notebook_id = j.notebook_id AND m.person_id = :person_id
WHERE (:notebook_id = '' OR j.notebook_id = :notebook_id)

-- name: claim_job
UPDATE job SET state = 'running', worker = :worker, lease_until = :lease_until, attempts = attempts + 1,
    started_at = coalesce(started_at, :now)
WHERE id = (
    SELECT id FROM job
    WHERE (:only = '' OR id = :only)
      AND ((state = 'queued' AND run_after <= :now) OR (state = 'running' AND lease_until < :now))
    ORDER BY seq LIMIT 1
)
RETURNING *

-- name: hold_job
UPDATE job SET lease_until = :lease_until
WHERE id = :id AND worker = :worker AND attempts = :attempts AND state = 'running'
RETURNING cancelled

-- name: advance_job
UPDATE job SET done = :done, total = :total, message = :message, place = :place, lease_until = :lease_until
WHERE id = :id AND worker = :worker AND attempts = :attempts AND state = 'running' AND cancelled = 0

-- name: end_job
UPDATE job SET state = :state, result = :result, error = :error, file = :file, message = :message,
    worker = NULL, lease_until = NULL, finished_at = :now
WHERE id = :id AND worker = :worker AND attempts = :attempts AND state = 'running'

-- name: requeue_job
UPDATE job SET state = 'queued', worker = NULL, lease_until = NULL, run_after = :run_after, error = :error
WHERE id = :id AND worker = :worker AND attempts = :attempts AND state = 'running'

-- name: cancel_job
UPDATE job SET cancelled = 1,
    finished_at = CASE WHEN state = 'queued' THEN :now ELSE finished_at END,
    state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END
WHERE id = :id AND state IN ('queued', 'running')

-- name: waiting_jobs
SELECT count(*) AS total FROM job WHERE state IN ('queued', 'running')
