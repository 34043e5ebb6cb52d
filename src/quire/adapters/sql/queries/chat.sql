-- name: role_in_conversation
SELECT m.role, c.notebook_id
FROM conversation c JOIN member m ON m.notebook_id = c.notebook_id AND m.person_id = :person_id
WHERE c.id = :id AND c.person_id = :person_id

-- name: role_in_answer
SELECT m.role, c.notebook_id
FROM turn t JOIN conversation c ON c.id = t.conversation_id
JOIN member m ON m.notebook_id = c.notebook_id AND m.person_id = :person_id
WHERE t.id = :id AND c.person_id = :person_id

-- name: insert_conversation
INSERT INTO conversation (id, notebook_id, person_id, created_at, updated_at)
VALUES (:id, :notebook_id, :person_id, :at, :at)
ON CONFLICT (id) DO NOTHING

-- One in which something was asked comes before one that was only opened
-- name: last_conversation
SELECT c.*, (SELECT count(*) FROM turn t WHERE t.conversation_id = c.id) AS turns,
    (SELECT t.question FROM turn t WHERE t.conversation_id = c.id ORDER BY t.seq LIMIT 1) AS question
FROM conversation c
WHERE c.notebook_id = :notebook_id AND c.person_id = :person_id
ORDER BY EXISTS (SELECT 1 FROM turn t WHERE t.conversation_id = c.id) DESC, c.seq DESC LIMIT 1

-- name: touch_conversation
UPDATE conversation SET updated_at = :at WHERE id = :id

-- name: conversation_by_id
SELECT c.*, (SELECT count(*) FROM turn t WHERE t.conversation_id = c.id) AS turns,
    (SELECT t.question FROM turn t WHERE t.conversation_id = c.id ORDER BY t.seq LIMIT 1) AS question
FROM conversation c
WHERE c.id = :id

-- Those that were only opened are not told of
-- name: conversations_of
SELECT c.*, (SELECT count(*) FROM turn t WHERE t.conversation_id = c.id) AS turns,
    (SELECT t.question FROM turn t WHERE t.conversation_id = c.id ORDER BY t.seq LIMIT 1) AS question
FROM conversation c
WHERE c.notebook_id = :notebook_id AND c.person_id = :person_id AND c.seq < :before
AND EXISTS (SELECT 1 FROM turn t WHERE t.conversation_id = c.id) ORDER BY c.seq DESC LIMIT :limit

-- name: count_conversations
SELECT count(*) AS total FROM conversation c WHERE notebook_id = :notebook_id AND person_id = :person_id
AND EXISTS (SELECT 1 FROM turn t WHERE t.conversation_id = c.id)

-- name: delete_conversation
DELETE FROM conversation WHERE id = :id

-- name: insert_turn
INSERT INTO turn (id, conversation_id, question, answer, created_at)
VALUES (:id, :conversation_id, :question, :answer, :at)

-- name: turn_by_id
SELECT t.*, c.notebook_id, c.person_id FROM turn t JOIN conversation c ON c.id = t.conversation_id WHERE t.id = :id

-- name: own_turn_beginning
SELECT t.*, c.notebook_id, c.person_id FROM conversation c JOIN turn t ON t.conversation_id = c.id
WHERE c.notebook_id = :notebook_id AND c.person_id = :person_id AND substr(t.id, 1, :length) = :beginning
ORDER BY t.seq LIMIT 1

-- name: turns_of
SELECT * FROM turn WHERE conversation_id = :conversation_id AND seq < :before ORDER BY seq DESC LIMIT :limit

-- name: questions_of
SELECT question FROM turn WHERE conversation_id = :conversation_id ORDER BY seq DESC LIMIT :limit

-- name: count_turns
SELECT count(*) AS total FROM turn WHERE conversation_id = :conversation_id

-- name: chat_configuration
SELECT goal, instructions, length FROM chat_configuration WHERE notebook_id = :notebook_id

-- name: configure_chat
INSERT INTO chat_configuration (notebook_id, goal, instructions, length)
VALUES (:notebook_id, :goal, :instructions, :length)
ON CONFLICT (notebook_id) DO UPDATE SET goal = excluded.goal, instructions = excluded.instructions,
    length = excluded.length
