-- Held until commit, so that of two changes at once the second sees the first.
-- name: scratch_to_change
SELECT * FROM scratch WHERE id = :id FOR UPDATE
