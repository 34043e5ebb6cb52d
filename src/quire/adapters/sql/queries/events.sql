-- name: insert_event
INSERT INTO event (notebook_id, kind, subject_id, at) VALUES (:notebook_id, :kind, :subject_id, :at)

-- name: last_event
SELECT coalesce(max(seq), 0) AS seq FROM event

-- name: events_after
SELECT seq, notebook_id, kind, subject_id, at FROM event WHERE seq > :after ORDER BY seq LIMIT :limit

-- name: readable_by
SELECT notebook_id FROM reader WHERE person_id = :person_id

-- name: sweep_events
DELETE FROM event WHERE at < :before AND seq < (SELECT max(seq) FROM event)
