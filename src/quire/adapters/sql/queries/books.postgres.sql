-- name: hold_book
SELECT * FROM book WHERE book_id = :book_id FOR UPDATE
