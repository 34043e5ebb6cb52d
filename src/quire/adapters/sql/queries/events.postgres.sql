-- Commits would otherwise become visible in another order than their sequence numbers,
-- and a watcher that has seen 6 would never see 5.
-- name: insert_event
WITH in_order AS MATERIALIZED (SELECT pg_advisory_xact_lock(718253001)),
     told AS MATERIALIZED (SELECT pg_notify('quire', '') FROM in_order)
INSERT INTO event (notebook_id, kind, subject_id, at)
SELECT :notebook_id, :kind, :subject_id, CAST(:at AS BIGINT) FROM told
