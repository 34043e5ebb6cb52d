-- name: role_in_research
SELECT m.role, r.notebook_id
FROM research r JOIN member m ON m.notebook_id = r.notebook_id AND m.person_id = :person_id
WHERE r.id = :id

-- name: insert_research
INSERT INTO research (id, notebook_id, job_id, session_id, query, source, mode, state, budget, created_at, updated_at)
VALUES (:id, :notebook_id, :job_id, :session_id, :query, :source, :mode, 'in_progress', :budget, :at, :at)

-- name: research_by_id
SELECT r.*, j.state AS job_state, j.error AS job_error, j.done, j.total, j.message,
    (SELECT count(*) FROM research_finding f WHERE f.research_id = r.id) AS found
FROM research r LEFT JOIN job j ON j.id = r.job_id WHERE r.id = :id

-- name: research_of
SELECT r.*, j.state AS job_state, j.error AS job_error, j.done, j.total, j.message,
    (SELECT count(*) FROM research_finding f WHERE f.research_id = r.id) AS found
FROM research r LEFT JOIN job j ON j.id = r.job_id
WHERE r.notebook_id = :notebook_id AND r.seq < :before ORDER BY r.seq DESC LIMIT :limit

-- name: count_research
SELECT count(*) AS total FROM research WHERE notebook_id = :notebook_id

-- name: end_research
UPDATE research SET state = :state, reason = :reason, summary = :summary, warnings = :warnings, updated_at = :at
WHERE id = :id AND state = 'in_progress'

-- name: cancel_research
UPDATE research SET state = 'cancelled', reason = 'It was cancelled.', updated_at = :at
WHERE id = :id AND state = 'in_progress'

-- name: go_on_with_research
UPDATE research SET round = :round, spent = :spent, warnings = :warnings, updated_at = :at WHERE id = :id

-- name: insert_finding
INSERT INTO research_finding (research_id, number, kind, title, url, file, description, finder, cited, report)
VALUES (:research_id, :number, :kind, :title, :url, :file, :description, :finder, :cited, :report)

-- A source that was deleted can be imported again
-- name: findings_of
SELECT f.research_id, f.number, f.kind, f.title, f.url, f.file, f.description, f.finder, f.cited, f.report,
    s.id AS source_id
FROM research_finding f JOIN research r ON r.id = f.research_id
LEFT JOIN source s ON s.id = f.source_id AND s.notebook_id = r.notebook_id
WHERE f.research_id = :research_id ORDER BY f.number

-- name: set_finding_source
UPDATE research_finding SET source_id = :source_id WHERE research_id = :research_id AND number = :number

-- name: insert_research_step
INSERT INTO research_step (research_id, kind, text, at) VALUES (:research_id, :kind, :text, :at)

-- name: research_steps
SELECT kind, text, at FROM research_step WHERE research_id = :research_id ORDER BY seq

-- name: insert_research_question
INSERT INTO research_question (research_id, number, question, search, round)
VALUES (:research_id, :number, :question, :search, :round)

-- name: research_questions
SELECT * FROM research_question WHERE research_id = :research_id ORDER BY number

-- name: set_question_searched
UPDATE research_question SET searched = 1 WHERE research_id = :research_id AND number = :number

-- name: set_question_answered
UPDATE research_question SET answered = :answered WHERE research_id = :research_id AND number = :number

-- name: search_question_again
UPDATE research_question SET search = :search, searched = 0 WHERE research_id = :research_id AND number = :number

-- The same page is found for several questions
-- name: insert_research_page
INSERT INTO research_page
    (research_id, number, question, address, doi, title, url, file, snippet, finder, score, state)
VALUES (:research_id, :number, :question, :address, :doi, :title, :url, :file, :snippet, :finder, :score, 'found')
ON CONFLICT (research_id, address) DO NOTHING

-- name: research_pages
SELECT * FROM research_page WHERE research_id = :research_id ORDER BY number

-- name: settle_research_page
UPDATE research_page SET state = :state, source_id = :source_id, title = :title, reason = :reason
WHERE research_id = :research_id AND number = :number AND state = 'found'

-- name: same_text_read
SELECT s.id FROM source s JOIN source_version v ON v.source_id = s.id
WHERE s.notebook_id = :notebook_id AND v.hash = :hash LIMIT 1

-- name: insert_research_reading
INSERT INTO research_reading (notebook_id, research_id) VALUES (:notebook_id, :research_id)

-- name: research_reading
SELECT notebook_id FROM research_reading WHERE research_id = :research_id

-- name: forget_research_reading
DELETE FROM research_reading WHERE notebook_id = :notebook_id

-- What was read for runs that are over, or gone with their notebook
-- name: left_over_readings
SELECT g.notebook_id FROM research_reading g
LEFT JOIN research r ON r.id = g.research_id LEFT JOIN job j ON j.id = r.job_id
WHERE r.id IS NULL OR r.state <> 'in_progress' OR j.id IS NULL OR j.finished_at IS NOT NULL
