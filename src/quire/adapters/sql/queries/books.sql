-- name: role_in_book
SELECT m.role, b.notebook_id FROM book b JOIN member m ON m.notebook_id = b.notebook_id AND m.person_id = :person_id
WHERE b.book_id = :id AND b.registered = 1

-- name: book_by_id
SELECT * FROM book WHERE book_id = :book_id

-- Whoever changes a book's files holds this row until the end of the transaction.
-- name: hold_book
SELECT * FROM book WHERE book_id = :book_id

-- name: insert_book
INSERT INTO book (book_id, notebook_id, title, storage_backend, status, created_at, change)
VALUES (:book_id, :notebook_id, :title, :storage_backend, :status, :at, (SELECT coalesce(max(change), 0) + 1 FROM book))
ON CONFLICT (book_id) DO NOTHING

-- name: update_book
UPDATE book SET title = :title, storage_backend = :storage_backend, status = :status, created_at = :at, registered = 1,
    change = (SELECT max(change) + 1 FROM book)
WHERE book_id = :book_id

-- name: change_book
UPDATE book SET title = :title, status = :status, require_hash = :require_hash, overlays = :overlays,
    change = (SELECT max(change) + 1 FROM book)
WHERE book_id = :book_id

-- name: unregister_book
UPDATE book SET registered = 0, change = (SELECT max(change) + 1 FROM book) WHERE book_id = :book_id

-- A deleted book is not registered, and nobody is a member of its notebook.
-- name: deleted_book
SELECT b.* FROM book b WHERE b.book_id = :book_id AND b.registered = 0
    AND NOT EXISTS (SELECT 1 FROM member m WHERE m.notebook_id = b.notebook_id)

-- name: give_book_notebook
UPDATE book SET notebook_id = :notebook_id WHERE book_id = :book_id

-- name: delete_book_versions
DELETE FROM book_version WHERE book_id = :book_id

-- name: delete_book_overlays
DELETE FROM book_overlay WHERE book_id = :book_id

-- name: delete_book_uploads
DELETE FROM book_upload WHERE book_id = :book_id

-- name: delete_book_manifests
DELETE FROM book_manifest WHERE book_id = :book_id

-- name: all_books
SELECT * FROM book ORDER BY seq

-- name: books_of
SELECT b.* FROM book b JOIN member m ON m.notebook_id = b.notebook_id AND m.person_id = :person_id
WHERE b.registered = 1 ORDER BY b.seq

-- name: book_and_file
SELECT b.storage_backend, b.status, f.sha256, f.size, f.revision, f.mime, f.modified_at, f.actor, f.original_name,
    f.ref, f.mark, f.path
FROM book b LEFT JOIN book_file f ON f.book_id = b.book_id AND f.path = :path
WHERE b.book_id = :book_id

-- name: book_file
SELECT * FROM book_file WHERE book_id = :book_id AND path = :path

-- The character after a slash is 0.
-- name: path_in_folder
SELECT path FROM book_file WHERE book_id = :book_id AND path >= :folder || '/' AND path < :folder || '0' LIMIT 1

-- A path in a folder that has, or lies under, the name of another but for case.
-- name: path_alike
SELECT path FROM book_file
WHERE book_id = :book_id AND (:folder = '' OR (path >= :folder || '/' AND path < :folder || '0'))
    AND substr(path, 1, length(:path)) <> :path
    AND (lower(path) = lower(:path) OR lower(substr(path, 1, length(:path) + 1)) = lower(:path || '/'))
LIMIT 1

-- name: put_book_file
INSERT INTO book_file (book_id, path, sha256, size, revision, mime, modified_at, actor, original_name, ref, mark)
VALUES (:book_id, :path, :sha256, :size, :revision, :mime, :at, :actor, :original_name, :ref, :mark)
ON CONFLICT (book_id, path) DO UPDATE SET sha256 = :sha256, size = :size, revision = :revision, mime = :mime,
    modified_at = :at, actor = :actor, original_name = :original_name, ref = :ref, mark = :mark

-- name: mark_book_file
UPDATE book_file SET mark = :mark WHERE book_id = :book_id AND path = :path AND sha256 = :sha256

-- name: delete_book_file
DELETE FROM book_file WHERE book_id = :book_id AND path = :path

-- name: last_revision
SELECT coalesce(max(revision), 0) AS revision FROM book_version WHERE book_id = :book_id AND path = :path

-- name: insert_book_version
INSERT INTO book_version (book_id, path, revision, sha256, ref, size, mime, original_name, operation, actor, at)
VALUES (:book_id, :path, :revision, :sha256, :ref, :size, :mime, :original_name, :operation, :actor, :at)

-- name: forget_book_versions
DELETE FROM book_version WHERE book_id = :book_id AND path = :path AND revision <= :revision

-- name: insert_book_audit
INSERT INTO book_audit (book_id, number, at, actor, operation, path, before_hash, after_hash, size, detail, hash)
VALUES (:book_id, :number, :at, :actor, :operation, :path, :before_hash, :after_hash, :size, :detail, :hash)

-- name: extend_book_chain
UPDATE book SET chain_length = :number, chain_hash = :hash WHERE book_id = :book_id

-- name: version_of_hash
SELECT revision FROM book_version WHERE book_id = :book_id AND path = :path AND sha256 = :sha256 LIMIT 1

-- name: refs_of_book
SELECT DISTINCT ref FROM book_version WHERE book_id = :book_id AND ref IS NOT NULL

-- name: version_needed
SELECT 1 AS needed FROM book_version WHERE book_id = :book_id AND ref = :ref LIMIT 1

-- name: book_versions
SELECT * FROM book_version WHERE book_id = :book_id AND path = :path AND revision < :before
ORDER BY revision DESC LIMIT :limit

-- name: count_book_versions
SELECT count(*) AS total FROM book_version WHERE book_id = :book_id AND path = :path

-- name: book_version
SELECT * FROM book_version WHERE book_id = :book_id AND path = :path AND revision = :revision

-- name: audit_of_book
SELECT * FROM book_audit
WHERE book_id = :book_id AND number < :before AND (:path = '' OR path = :path)
    AND (:actor = '' OR actor = :actor) AND (:operation = '' OR operation = :operation)
    AND at >= :since AND at < :until
ORDER BY number DESC LIMIT :limit

-- name: count_audit_of_book
SELECT count(*) AS total FROM book_audit
WHERE book_id = :book_id AND (:path = '' OR path = :path)
    AND (:actor = '' OR actor = :actor) AND (:operation = '' OR operation = :operation)
    AND at >= :since AND at < :until

-- name: audit_from
SELECT * FROM book_audit WHERE book_id = :book_id AND number > :after AND number <= :last
ORDER BY number LIMIT :limit

-- A file whose row is not what the log last said of it.
-- name: file_against_audit
SELECT f.path FROM book_file f
LEFT JOIN (SELECT path, max(number) AS number FROM book_audit WHERE book_id = :book_id GROUP BY path) newest
    ON newest.path = f.path
LEFT JOIN book_audit a ON a.book_id = f.book_id AND a.number = newest.number
WHERE f.book_id = :book_id AND f.sha256 <> coalesce(a.after_hash, '')
ORDER BY f.path LIMIT 1

-- name: files_under
SELECT * FROM book_file WHERE book_id = :book_id AND substr(path, 1, length(:prefix)) = :prefix ORDER BY path

-- name: insert_book_upload
INSERT INTO book_upload (id, book_id, path, at) VALUES (:id, :book_id, :path, :at)

-- name: book_upload
SELECT * FROM book_upload WHERE id = :id

-- name: forget_book_uploads
DELETE FROM book_upload WHERE at < :before

-- name: file_of_hash
SELECT path FROM book_file WHERE book_id = :book_id AND sha256 = :sha256 LIMIT 1

-- The deletion itself stays, so that revisions go on from it.
-- name: forget_deleted_versions
DELETE FROM book_version WHERE sha256 IS NOT NULL AND at < :before AND NOT EXISTS (
    SELECT 1 FROM book_file f WHERE f.book_id = book_version.book_id AND f.path = book_version.path
)

-- name: marks_of_book
SELECT path, sha256, mark, ref FROM book_file WHERE book_id = :book_id

-- name: count_book_files
SELECT count(*) AS total FROM book_file

-- name: manifest_of_book
SELECT number, at FROM book_manifest WHERE book_id = :book_id AND hash = :hash

-- name: keep_manifest
INSERT INTO book_manifest (book_id, hash, number, at) VALUES (:book_id, :hash, :number, :at)
ON CONFLICT (book_id, hash) DO UPDATE SET number = :number, at = :at

-- name: forget_manifests
DELETE FROM book_manifest WHERE at < :before

-- What each file was, that was touched since the log had a length; without a hash it was not there.
-- name: files_before
SELECT a.path, a.before_hash FROM book_audit a
JOIN (
    SELECT path, min(number) AS number FROM book_audit
    WHERE book_id = :book_id AND number > :number AND path <> '' GROUP BY path
) first ON first.number = a.number
WHERE a.book_id = :book_id

-- name: book_overlay
SELECT * FROM book_overlay WHERE book_id = :book_id AND person_id = :person_id AND path = :path

-- name: put_book_overlay
INSERT INTO book_overlay (book_id, person_id, path, content, sha256, size, base_hash, at)
VALUES (:book_id, :person_id, :path, :content, :sha256, :size, :base_hash, :at)
ON CONFLICT (book_id, person_id, path) DO UPDATE SET content = :content, sha256 = :sha256, size = :size,
    base_hash = :base_hash, at = :at

-- name: delete_book_overlay
DELETE FROM book_overlay WHERE book_id = :book_id AND person_id = :person_id AND path = :path

-- name: overlays_of_book
SELECT o.path, o.sha256, o.size, o.base_hash, o.at, f.sha256 AS now_hash FROM book_overlay o
LEFT JOIN book_file f ON f.book_id = o.book_id AND f.path = o.path
WHERE o.book_id = :book_id AND o.person_id = :person_id ORDER BY o.path

-- name: overlay_texts
SELECT path, content FROM book_overlay WHERE book_id = :book_id AND person_id = :person_id ORDER BY path

-- name: count_book_overlays
SELECT count(*) AS total FROM book_overlay WHERE book_id = :book_id AND person_id = :person_id

-- name: sources_of_book
SELECT s.id, s.notebook_id, j.state AS job_state,
    (SELECT m.person_id FROM member m WHERE m.notebook_id = s.notebook_id ORDER BY m.role DESC, m.person_id LIMIT 1)
        AS person_id
FROM source s LEFT JOIN job j ON j.id = s.job_id
WHERE s.kind = 'book' AND s.url = :url

-- Someone who may change a notebook and read a book.
-- name: book_of_notebook
SELECT b.book_id FROM book b
JOIN member reader ON reader.notebook_id = b.notebook_id
JOIN member editor ON editor.person_id = reader.person_id AND editor.notebook_id = :notebook_id
WHERE b.book_id = :book_id AND b.registered = 1 AND editor.role >= :role LIMIT 1
