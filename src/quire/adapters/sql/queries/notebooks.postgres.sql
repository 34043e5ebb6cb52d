-- name: lock_notebook
SELECT id FROM notebook WHERE id = :id FOR UPDATE
