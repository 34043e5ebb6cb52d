-- name: view_level
SELECT view_level FROM share WHERE notebook_id = :notebook_id

-- name: share_of
SELECT n.id, n.title, n.inbox_of, coalesce(s.public, 0) AS public, coalesce(s.view_level, 'full') AS view_level,
    coalesce(s.message, '') AS message
FROM notebook n LEFT JOIN share s ON s.notebook_id = n.id WHERE n.id = :id

-- name: set_share
INSERT INTO share (notebook_id, public, view_level, message) VALUES (:notebook_id, :public, :view_level, :message)
ON CONFLICT (notebook_id) DO UPDATE SET public = excluded.public, view_level = excluded.view_level,
    message = excluded.message

-- Members, and whoever comes to a notebook that is public
-- name: role_in_link
SELECT coalesce((SELECT m.role FROM member m WHERE m.notebook_id = n.id AND m.person_id = :person_id), 1) AS role,
    n.id AS notebook_id
FROM notebook n
WHERE n.id = :id AND (
    EXISTS (SELECT 1 FROM member m WHERE m.notebook_id = n.id AND m.person_id = :person_id)
    OR (EXISTS (SELECT 1 FROM share s WHERE s.notebook_id = n.id AND s.public = 1)
        AND EXISTS (SELECT 1 FROM person p WHERE p.id = :person_id)))

-- name: set_member
INSERT INTO member (notebook_id, person_id, role, by_link, message)
VALUES (:notebook_id, :person_id, :role, :by_link, :message)
ON CONFLICT (notebook_id, person_id) DO UPDATE SET role = excluded.role, by_link = excluded.by_link,
    message = excluded.message

-- name: member_of
SELECT * FROM member WHERE notebook_id = :notebook_id AND person_id = :person_id

-- Those who came by the link are not told of: there may be many, and nobody chose them
-- name: members_of_notebook
SELECT m.person_id, m.role, m.message, p.name, p.email FROM member m JOIN person p ON p.id = m.person_id
WHERE m.notebook_id = :notebook_id AND m.by_link = 0 ORDER BY m.role DESC, p.created_at, p.id

-- name: count_members_by_link
SELECT count(*) AS total FROM member WHERE notebook_id = :notebook_id AND by_link = 1

-- name: count_owners
SELECT count(*) AS total FROM member WHERE notebook_id = :notebook_id AND role = 3

-- name: delete_member
DELETE FROM member WHERE notebook_id = :notebook_id AND person_id = :person_id

-- name: delete_members_by_link
DELETE FROM member WHERE notebook_id = :notebook_id AND by_link = 1

-- name: set_invitation
INSERT INTO invitation (notebook_id, email, role, message, at) VALUES (:notebook_id, :email, :role, :message, :at)
ON CONFLICT (notebook_id, email) DO UPDATE SET role = excluded.role, message = excluded.message, at = excluded.at

-- name: invitations_to_notebook
SELECT email, role, message FROM invitation WHERE notebook_id = :notebook_id ORDER BY at, email

-- name: invitation_to_notebook
SELECT email, role, message FROM invitation WHERE notebook_id = :notebook_id AND email = :email

-- name: invitations_of
SELECT notebook_id, role, message FROM invitation WHERE email = :email

-- name: delete_invitation
DELETE FROM invitation WHERE notebook_id = :notebook_id AND email = :email

-- name: delete_invitations_of
DELETE FROM invitation WHERE email = :email
