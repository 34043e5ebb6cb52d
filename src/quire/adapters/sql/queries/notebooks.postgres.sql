-- Rows that refer to the notebook may be added meanwhile: whoever adds one may hold what this transaction wants next
-- name: lock_notebook
SELECT id FROM notebook WHERE id = :id FOR NO KEY UPDATE
