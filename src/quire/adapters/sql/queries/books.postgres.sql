-- name: hold_book
SELECT * FROM book WHERE book_id = :book_id FOR UPDATE

-- name: path_in_folder
SELECT path FROM book_file WHERE book_id = :book_id AND starts_with(path, :folder || '/') LIMIT 1

-- name: path_alike
SELECT path FROM book_file
WHERE book_id = :book_id AND (:folder = '' OR starts_with(path, :folder || '/'))
    AND substr(path, 1, length(:path)) <> :path
    AND (lower(path) = lower(:path) OR lower(substr(path, 1, length(:path) + 1)) = lower(:path || '/'))
LIMIT 1
