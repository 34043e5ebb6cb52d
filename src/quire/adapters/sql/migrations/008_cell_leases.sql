-- Until when a cell that runs is taken to run, unless its process says so again
ALTER TABLE scratch_cell ADD COLUMN running_until BIGINT;
