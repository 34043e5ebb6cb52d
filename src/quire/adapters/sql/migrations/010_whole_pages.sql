-- Whether all of a web page is read, and not only its article
ALTER TABLE source ADD COLUMN whole BIGINT NOT NULL DEFAULT 0;
