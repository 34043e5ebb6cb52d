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

-- Asked before claiming, so that an idle worker never takes the write lock.
-- name: job_to_claim
SELECT id FROM job
WHERE (state = 'queued' AND run_after <= :now) OR (state = 'running' AND lease_until < :now)
LIMIT 1

-- `worker` is a word drawn for this claim alone: whoever knows it holds the job.
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
UPDATE job SET lease_until = :lease_until WHERE id = :id AND worker = :worker AND state = 'running'

-- Attempts are counted from the last step that got anywhere.
-- name: advance_job
UPDATE job SET done = :done, total = :total, message = :message, place = :place, lease_until = :lease_until,
    attempts = CASE WHEN coalesce(place, '') = coalesce(:place, '') THEN attempts ELSE 1 END
WHERE id = :id AND worker = :worker AND state = 'running' AND cancelled = 0

-- name: end_job
UPDATE job SET state = :state, result = :result, error = :error, file = :file, message = '',
    worker = NULL, lease_until = NULL, finished_at = :now
WHERE id = :id AND worker = :worker AND state = 'running'

-- A job that was cancelled meanwhile ends here instead; `uncounted` is 1 for an attempt that does not count.
-- name: requeue_job
UPDATE job SET state = CASE WHEN cancelled = 1 THEN 'cancelled' ELSE 'queued' END,
    finished_at = CASE WHEN cancelled = 1 THEN :now ELSE finished_at END,
    worker = NULL, lease_until = NULL, run_after = :run_after, error = :error, attempts = attempts - :uncounted
WHERE id = :id AND worker = :worker AND state = 'running'
RETURNING state

-- name: cancel_job
UPDATE job SET cancelled = 1,
    finished_at = CASE WHEN state = 'queued' THEN :now ELSE finished_at END,
    state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END
WHERE id = :id AND state IN ('queued', 'running')
RETURNING state

-- name: waiting_jobs
SELECT count(*) AS total FROM job WHERE state IN ('queued', 'running')
