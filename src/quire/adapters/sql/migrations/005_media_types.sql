-- What whoever sent a source's file called it
ALTER TABLE source ADD COLUMN media_type TEXT;
