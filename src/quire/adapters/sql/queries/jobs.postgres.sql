-- Whoever is a moment too late takes the next, so every job is looked at, not only the oldest of each person.
-- name: claim_job
UPDATE job SET state = 'running', worker = :worker, lease_until = :lease_until, attempts = attempts + 1,
    started_at = coalesce(started_at, :now)
WHERE seq = (
    SELECT j.seq FROM job j
    LEFT JOIN (
        SELECT person_id, count(*) AS jobs FROM job
        WHERE state = 'running' AND turn BETWEEN :first AND :last AND lease_until BETWEEN :now AND :far
        GROUP BY person_id
    ) busy ON busy.person_id = j.person_id
    WHERE j.turn BETWEEN :first AND :last AND coalesce(busy.jobs, 0) < :most
      AND ((j.state = 'queued' AND (j.run_after <= :now OR j.run_after > :far))
        OR (j.state = 'running' AND (j.lease_until < :now OR j.lease_until > :far)))
      AND (j.turn > 0 OR NOT EXISTS (SELECT 1 FROM job r WHERE r.state = 'running' AND r.turn = 0
        AND r.host = j.host AND r.lease_until BETWEEN :now AND :far))
    ORDER BY j.turn, coalesce(busy.jobs, 0), j.seq LIMIT 1
    FOR UPDATE OF j SKIP LOCKED
)
RETURNING *
