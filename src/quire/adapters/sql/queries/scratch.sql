-- A scratch notebook is its maker's alone. What happens to it is told in the maker's inbox.
-- name: role_in_scratch
SELECT m.role, n.id AS notebook_id
FROM scratch s JOIN notebook n ON n.inbox_of = s.person_id
    JOIN member m ON m.notebook_id = n.id AND m.person_id = s.person_id
WHERE s.id = :id AND s.person_id = :person_id

-- name: role_in_session
SELECT m.role, n.id AS notebook_id
FROM scratch s JOIN notebook n ON n.inbox_of = s.person_id
    JOIN member m ON m.notebook_id = n.id AND m.person_id = s.person_id
WHERE s.session_id = :id AND s.person_id = :person_id

-- name: insert_scratch
INSERT INTO scratch (id, session_id, person_id, connection, boot, title, language, pattern, tsconfig, metadata,
    last_cell, created_at, updated_at, used_at)
VALUES (:id, :session_id, :person_id, :connection, :boot, :title, :language, :pattern, :tsconfig, :metadata,
    :last_cell, :at, :at, :at)

-- name: scratch_by_id
SELECT s.*, (SELECT count(*) FROM scratch_cell c WHERE c.scratch_id = s.id) AS cell_count,
    (SELECT count(*) FROM scratch_cell c WHERE c.scratch_id = s.id AND c.status = 'failed') AS failures
FROM scratch s WHERE s.id = :id

-- name: scratch_to_change
SELECT * FROM scratch WHERE id = :id

-- name: scratch_by_session
SELECT id FROM scratch WHERE session_id = :session_id

-- name: scratches_of
SELECT s.*, (SELECT count(*) FROM scratch_cell c WHERE c.scratch_id = s.id) AS cell_count,
    (SELECT count(*) FROM scratch_cell c WHERE c.scratch_id = s.id AND c.status = 'failed') AS failures
FROM scratch s
WHERE (s.person_id = :person_id OR :everyone = 1) AND s.used_at >= :since AND (s.boot IS NULL OR s.boot = :boot)
ORDER BY s.seq DESC

-- name: newest_scratch
SELECT id FROM scratch
WHERE person_id = :person_id AND used_at >= :since AND (boot IS NULL OR boot = :boot)
    AND (:connection = '' OR connection = :connection)
ORDER BY seq DESC LIMIT 1

-- name: use_scratch
UPDATE scratch SET used_at = :at WHERE id = :id

-- name: change_scratch
UPDATE scratch SET revision = revision + 1, last_cell = :last_cell, title = :title, updated_at = :at, used_at = :at
WHERE id = :id RETURNING revision

-- name: count_scratch_run
UPDATE scratch SET executions = executions + 1, executed_at = :at, used_at = :at WHERE id = :id

-- name: delete_scratch
DELETE FROM scratch WHERE id = :id

-- name: idle_scratches
SELECT id, session_id, person_id FROM scratch
WHERE used_at < :since OR (boot IS NOT NULL AND boot <> :boot AND used_at < :recently)

-- name: scratch_ids
SELECT id, session_id FROM scratch

-- name: cells_of_scratch
SELECT * FROM scratch_cell WHERE scratch_id = :scratch_id ORDER BY place

-- name: scratch_cell
SELECT * FROM scratch_cell WHERE scratch_id = :scratch_id AND id = :id

-- name: insert_scratch_cell
INSERT INTO scratch_cell (scratch_id, id, place, type, source, language, filename, linked, status, execution_count,
    outputs, metadata, attachments)
VALUES (:scratch_id, :id, :place, :type, :source, :language, :filename, :linked, :status, :execution_count,
    :outputs, :metadata, :attachments)

-- name: update_scratch_cell
UPDATE scratch_cell SET source = :source, language = :language, filename = :filename, linked = :linked,
    status = :status, execution_count = :execution_count, outputs = :outputs
WHERE scratch_id = :scratch_id AND id = :id

-- name: run_scratch_cell
UPDATE scratch_cell SET status = :status, execution_count = :execution_count, outputs = :outputs,
    running_until = :running_until
WHERE scratch_id = :scratch_id AND id = :id

-- name: change_scratch_outputs
UPDATE scratch_cell SET outputs = :outputs WHERE scratch_id = :scratch_id AND id = :id AND status <> 'running'

-- name: keep_scratch_cell_running
UPDATE scratch_cell SET running_until = :until WHERE scratch_id = :scratch_id AND id = :id AND status = 'running'

-- name: end_lost_scratch_cells
UPDATE scratch_cell SET status = 'failed', outputs = :outputs, running_until = NULL
WHERE status = 'running' AND (running_until IS NULL OR running_until < :now OR running_until > :furthest)
RETURNING scratch_id, id

-- name: place_scratch_cell
UPDATE scratch_cell SET place = :place WHERE scratch_id = :scratch_id AND id = :id

-- name: delete_scratch_cell
DELETE FROM scratch_cell WHERE scratch_id = :scratch_id AND id = :id

-- name: insert_scratch_execution
INSERT INTO scratch_execution (id, scratch_id, execution) VALUES (:id, :scratch_id, :execution)

-- name: scratch_execution
SELECT execution FROM scratch_execution WHERE scratch_id = :scratch_id AND id = :id

-- name: scratch_executions
SELECT id FROM scratch_execution WHERE scratch_id = :scratch_id ORDER BY seq DESC

-- name: trim_scratch_executions
DELETE FROM scratch_execution WHERE scratch_id = :scratch_id AND seq <= (
    SELECT seq FROM scratch_execution WHERE scratch_id = :scratch_id ORDER BY seq DESC LIMIT 1 OFFSET :kept
)
