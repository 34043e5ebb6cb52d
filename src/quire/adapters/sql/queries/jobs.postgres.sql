-- name: claim_job
UPDATE job SET state = 'running', worker = :worker, lease_until = :lease_until, attempts = attempts + 1,
    started_at = coalesce(started_at, :now)
WHERE id = (
    SELECT id FROM job
    WHERE (:only = '' OR id = :only)
      AND ((state = 'queued' AND run_after <= :now) OR (state = 'running' AND lease_until < :now))
    ORDER BY seq LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING *
