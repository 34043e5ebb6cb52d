-- name: insert_job
INSERT INTO job (id, kind, notebook_id, person_id, payload, turn, host, run_after, created_at)
VALUES (:id, :kind, :notebook_id, :person_id, :payload, :turn, :host, :run_after, :at)

-- name: job_by_id
SELECT * FROM job WHERE id = :id

-- name: jobs_of
SELECT j.* FROM job j JOIN reader m ON m.notebook_id = j.notebook_id AND m.person_id = :person_id
WHERE j.seq < :before AND (:notebook_id = '' OR j.notebook_id = :notebook_id)
  AND (j.kind <> 'export_notebook' OR j.person_id = :person_id)
ORDER BY j.seq DESC LIMIT :limit

-- name: count_jobs_of
SELECT count(*) AS total FROM job j JOIN reader m ON m.notebook_id = j.notebook_id AND m.person_id = :person_id
WHERE (:notebook_id = '' OR j.notebook_id = :notebook_id)
  AND (j.kind <> 'export_notebook' OR j.person_id = :person_id)

-- Asked before claiming, so that an idle worker never takes the write lock. Only the jobs from turn `first` to `last`
-- are asked for, of people who have less than `most` of them worked on; and one fetch from a host at a time.
-- Times that lie further ahead than `far` were written by a clock that was wrong.
-- name: job_to_claim
SELECT j.id FROM job j
WHERE j.turn BETWEEN :first AND :last
  AND ((j.state = 'queued' AND (j.run_after <= :now OR j.run_after > :far))
    OR (j.state = 'running' AND (j.lease_until < :now OR j.lease_until > :far)))
  AND (SELECT count(*) FROM job r WHERE r.state = 'running' AND r.turn BETWEEN :first AND :last
    AND r.person_id = j.person_id AND r.lease_until BETWEEN :now AND :far) < :most
  AND (j.turn > 0 OR NOT EXISTS (SELECT 1 FROM job r WHERE r.state = 'running' AND r.turn = 0
    AND r.host = j.host AND r.lease_until BETWEEN :now AND :far))
LIMIT 1

-- `worker` is a word drawn for this claim alone: whoever knows it holds the job. The person of whom least is worked on
-- comes first; of each only the oldest job is looked at.
-- name: claim_job
UPDATE job SET state = 'running', worker = :worker, lease_until = :lease_until, attempts = attempts + 1,
    started_at = coalesce(started_at, :now)
WHERE seq = (
    WITH busy AS (
        SELECT person_id, count(*) AS jobs FROM job
        WHERE state = 'running' AND turn BETWEEN :first AND :last AND lease_until BETWEEN :now AND :far
        GROUP BY person_id
    ), oldest AS (
        SELECT j.turn, j.person_id, min(j.seq) AS seq FROM job j
        WHERE j.turn BETWEEN :first AND :last
          AND ((j.state = 'queued' AND (j.run_after <= :now OR j.run_after > :far))
            OR (j.state = 'running' AND (j.lease_until < :now OR j.lease_until > :far)))
          AND (j.turn > 0 OR NOT EXISTS (SELECT 1 FROM job r WHERE r.state = 'running' AND r.turn = 0
            AND r.host = j.host AND r.lease_until BETWEEN :now AND :far))
        GROUP BY j.turn, j.person_id
    )
    SELECT seq FROM oldest LEFT JOIN busy USING (person_id) WHERE coalesce(jobs, 0) < :most
    ORDER BY turn, coalesce(jobs, 0), seq LIMIT 1
)
RETURNING *

-- name: claim_this_job
UPDATE job SET state = 'running', worker = :worker, lease_until = :lease_until, attempts = attempts + 1,
    started_at = coalesce(started_at, :now)
WHERE id = :id AND ((state = 'queued' AND (run_after <= :now OR run_after > :far))
    OR (state = 'running' AND (lease_until < :now OR lease_until > :far)))
RETURNING *

-- Whether another job of this turn should have its place: one of a person of whom none is worked on.
-- name: job_before
SELECT j.id FROM job j
WHERE j.state = 'queued' AND j.turn = :turn AND (j.run_after <= :now OR j.run_after > :far)
  AND NOT EXISTS (SELECT 1 FROM job r WHERE r.state = 'running' AND r.turn = :turn AND r.person_id = j.person_id)
LIMIT 1

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
    worker = NULL, lease_until = NULL, run_after = :run_after, error = :error, attempts = attempts - :uncounted,
    turn = :turn
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
