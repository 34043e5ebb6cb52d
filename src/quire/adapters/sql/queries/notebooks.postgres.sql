-- Rows that refer to the notebook may be added meanwhile: whoever adds one may hold what this transaction wants next
-- name: lock_notebook
SELECT id FROM notebook WHERE id = :id FOR NO KEY UPDATE

-- name: notebooks_named
SELECT n.id, n.title, m.role, share.view_level
FROM notebook n JOIN member m ON m.notebook_id = n.id AND m.person_id = :person_id
LEFT JOIN share ON share.notebook_id = n.id
WHERE n.id IN (SELECT json_array_elements_text(CAST(:notebook_ids AS json))) LIMIT :limit

-- name: notebooks_of_sources
SELECT id, notebook_id FROM source WHERE id IN (SELECT json_array_elements_text(CAST(:source_ids AS json)))

-- name: unread_in_notebooks
SELECT title FROM source WHERE state = 'processing'
    AND notebook_id IN (SELECT json_array_elements_text(CAST(:notebook_ids AS json)))
ORDER BY seq LIMIT :limit
