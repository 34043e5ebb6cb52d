-- Who someone is elsewhere: an address in lower case, by which others share with them
ALTER TABLE person ADD COLUMN email TEXT;
CREATE UNIQUE INDEX person_email ON person (email);

-- What proves who someone is, as a hash. The column that there was for one token stays, since SQLite cannot drop it
CREATE TABLE person_token (
    seq         {serial},
    id          TEXT NOT NULL UNIQUE,
    person_id   TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    hash        TEXT NOT NULL UNIQUE,
    label       TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT,
    used_at     BIGINT
);
CREATE INDEX person_token_person ON person_token (person_id, seq);
INSERT INTO person_token (id, person_id, hash, label, created_at)
SELECT 'first-' || id, id, token_hash, 'first', created_at FROM person WHERE token_hash IS NOT NULL;
UPDATE person SET token_hash = NULL;

-- Who came by a notebook's public link is a member for as long as the link is public; `message` welcomed them
ALTER TABLE member ADD COLUMN by_link BIGINT NOT NULL DEFAULT 0;
ALTER TABLE member ADD COLUMN message TEXT NOT NULL DEFAULT '';

-- How a notebook is shared beside its members; nothing here is private and shown in full
CREATE TABLE share (
    notebook_id TEXT PRIMARY KEY REFERENCES notebook (id) ON DELETE CASCADE,
    public      BIGINT NOT NULL DEFAULT 0,
    view_level  TEXT NOT NULL DEFAULT 'full',
    message     TEXT NOT NULL DEFAULT ''
);

-- Whoever may read what is in a notebook: all of its members, but viewers who may only chat with it
CREATE VIEW reader AS SELECT m.notebook_id, m.person_id, m.role FROM member m
WHERE NOT (m.role < 2 AND (m.role < 1 OR EXISTS (
    SELECT 1 FROM share s WHERE s.notebook_id = m.notebook_id AND s.view_level = 'chat')));

-- With whom a notebook is shared who is not there yet
CREATE TABLE invitation (
    notebook_id TEXT NOT NULL REFERENCES notebook (id) ON DELETE CASCADE,
    email       TEXT NOT NULL,
    role        BIGINT NOT NULL,
    message     TEXT NOT NULL DEFAULT '',
    at          BIGINT NOT NULL,
    PRIMARY KEY (notebook_id, email)
);
CREATE INDEX invitation_email ON invitation (email);

-- Who let whom in to what, when. It outlives the people and notebooks that it names
CREATE TABLE sharing_log (
    seq         {serial},
    at          BIGINT NOT NULL,
    actor_id    TEXT NOT NULL,
    actor       TEXT NOT NULL,
    action      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    notebook_id TEXT,
    title       TEXT NOT NULL DEFAULT '',
    detail      TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sharing_log_notebook ON sharing_log (notebook_id, seq);
