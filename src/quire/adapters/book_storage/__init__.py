"""Where the files of books lie: a folder, or a remote storage through OpenDAL."""
