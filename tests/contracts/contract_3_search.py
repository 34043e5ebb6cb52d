"""Contract 3: the tools that search books and archive them."""

from __future__ import annotations

from contracts.rows import Row, section

ROWS: list[Row] = [
    *section(
        3,
        "glob_search",
        ("C3-GLOB-01", "Finds the files of a book whose path matches a glob."),
        ("C3-GLOB-02", "It is marked as reading only and as idempotent."),
        ("C3-GLOB-03", "`book_id` and `pattern` are required, `all_books` is false unless given."),
        ("C3-GLOB-04", "The answer is an array of stored paths: books/{book_id}/…"),
        ("C3-GLOB-05", "`**` stands for any folders, `*` and `?` for characters of one name."),
        ("C3-GLOB-06", "The document's four examples find what it says they do, hidden summaries included."),
        ("C3-GLOB-07", "With `all_books` every book is searched."),
    ),
    *section(
        3,
        "grep_search",
        ("C3-GREP-01", "Finds the lines of a book that a regular expression matches."),
        ("C3-GREP-02", "It is marked as reading only and as idempotent."),
        ("C3-GREP-03", "`book_id` and `pattern` are required; `all_books` and `max_results` are not."),
        ("C3-GREP-04", "max_results is 100 unless given, and at most 1000."),
        ("C3-GREP-05", "The answer is an array whose entries have file_path, line_number and matched_line."),
        ("C3-GREP-06", "Only files that end in .md are searched."),
        ("C3-GREP-07", "With `all_books` every book is searched."),
    ),
    *section(
        3,
        "get_book_archive",
        ("C3-ARCH-01", "Makes a ZIP of a whole book."),
        ("C3-ARCH-02", "It is marked as reading only and as idempotent, and needs `book_id` only."),
        (
            "C3-ARCH-03",
            "The answer has status, archive_url, expires_at, file_count, total_size_bytes, format, valid_for_seconds.",
            "Our answer has a few fields more; the document's are all there.",
        ),
        ("C3-ARCH-04", "The address is good for 3,600 seconds."),
        ("C3-ARCH-05", "Lessons, summaries, assets and book.yaml are in it."),
        ("C3-ARCH-06", "It is done in less than 60 seconds with 500 files of 200 MB; benchmarks/books.py measures it."),
    ),
    *section(
        3,
        "What the document leaves open of search and archive",
        ("C3-FIND-01", "`*` never crosses a slash, hidden files are found, paths are sorted."),
        ("C3-FIND-02", "Nested files are found by glob and grep, and are in the archive."),
        ("C3-FIND-03", "A pattern that runs away elsewhere is answered; one that is not valid is a ValidationError."),
        ("C3-FIND-04", "max_results below 1 or above 1000 is a ValidationError."),
        ("C3-FIND-05", "Exactly max_results lines are not truncated; more are, and it is said outside the array."),
        ("C3-FIND-06", "A book that is not registered is not found by search and archive."),
        ("C3-FIND-07", "The archive is the tree byte for byte, with a manifest of hashes."),
    ),
]
