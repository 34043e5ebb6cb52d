"""Contract 4: session notebooks as MCP resources, and what Quire decided where the document is silent."""

from __future__ import annotations

from contracts.rows import Row, section

ROWS: list[Row] = [
    *section(
        4,
        "URI Scheme",
        ("C4-URI-01", "A notebook is at notebook://{session}/{notebook}, which shows it as srcmd."),
        ("C4-URI-02", "/srcmd, /json and /cells after it choose a form."),
        ("C4-URI-03", "notebook://current is the notebook of the current session."),
        (
            "C4-URI-05",
            "notebook://current is an error where the session has no notebook.",
            "A session is a connection; where a call has none, as over HTTP in the 2026 era, it is the caller.",
        ),
        (
            "C4-URI-04",
            "Ids are of letters, digits, - and _; what is percent-encoded is decoded; extra segments are refused.",
        ),
    ),
    *section(
        4,
        "Notebook List Resource",
        ("C4-LIST-01", "notebook://list is JSON: id, sessionId, cellCount, pattern and createdAt of each notebook."),
        ("C4-LIST-02", "It is called Active Notebooks and is application/json."),
    ),
    *section(
        4,
        "Individual Notebook Resource",
        ("C4-NB-01", "A notebook is text/markdown, named after its pattern."),
        (
            "C4-NB-02",
            "Its metadata has sessionId, notebookId, pattern, cellCount, createdAt and lastModified.",
            "In `_meta`, where MCP has room for it: of the contents and of the entry in the list.",
        ),
        (
            "C4-NB-03",
            "The result of a read holds type and text.",
            "MCP's own form is given: uri, mimeType and text.",
        ),
    ),
    *section(
        4,
        "Notebook Cells Resource",
        ("C4-CELLS-01", "/cells is a JSON array of cells with id, type and source."),
    ),
    *section(
        4,
        "Single Cell Resource",
        ("C4-CELL-01", "/cells/{cell} is the cell's source, in the media type of its language."),
        ("C4-CELL-02", "Its metadata has cellId, cellType, language, filename, status and hasOutputs."),
    ),
    *section(
        4,
        "Resource Registration",
        ("C4-REG-01", "The list of resources has notebook://list, each notebook, and each notebook's cells."),
        ("C4-REG-02", "Their descriptions count the notebooks and the cells."),
    ),
    *section(
        4,
        "Resource Discovery",
        ("C4-DISC-01", "A client finds notebooks by the list of resources, by their scheme, and by notebook://list."),
    ),
    *section(
        4,
        "Security Considerations",
        ("C4-SEC-01", "A notebook is not found under another session, nor by another actor."),
        ("C4-SEC-02", "Reading changes nothing and runs nothing."),
        ("C4-SEC-03", "Notebooks disappear when nobody has used them for a while.", "After 30 minutes."),
        ("C4-SEC-04", "What cells put out is sanitised before it is shown."),
    ),
    *section(
        4,
        "Future Enhancements",
        (
            "C4-SUB-01",
            "Clients hear that the list of resources changed.",
            "As notifications in the 2025 era, as a stream in the 2026 era.",
        ),
        ("C4-SUB-02", "Clients hear of changes to a notebook that they subscribe to."),
        ("C4-SUB-03", "Clients hear of a cell that they subscribe to: when its run ends, and when its notebook does."),
        ("C4-FILE-01", "After an export, file:///notebooks/{session}/notebook.src.md and a file a cell can be read."),
        ("C4-FILE-02", "Files have the media types of what stands in them, in lists and when they are read."),
        ("C4-TPL-01", "notebook://templates/{pattern} are notebooks to start from."),
        ("C4-TPL-02", "There are resource templates, and their ids are completed."),
        (
            "C4-TPL-03",
            "Templates are called as people call them: Tree of Thought, OODA Loop.",
            "By name (tree_of_thought) or by title.",
        ),
        ("C4-TPL-04", "create_scratch puts the texts of a notebook's sources into a cell; compare_sources reads it."),
        ("C4-EXEC-01", "Runs are resources: notebook://{session}/{notebook}/executions/{id}."),
        (
            "C4-EXEC-02",
            "A picture that a cell put out reaches a model as an image, once, and is a resource of its media type.",
        ),
        ("C4-EXEC-03", "What a cell clears is gone, and a display that it updates is another, wherever it is shown."),
    ),
    *section(
        4,
        "Metadata Schema",
        ("C4-META-01", "lastExecuted, totalExecutions and hasErrors are tracked."),
    ),
    *section(
        4,
        "Error Handling",
        (
            "C4-ERR-01",
            "An unknown notebook, cell or form, or a bad address, is InvalidParams.",
            "-32602 with the address in `data.uri`, in both eras.",
        ),
        ("C4-ERR-02", "An unknown id is not found, however long it is."),
    ),
    *section(
        4,
        "Tools (the document assumes a store)",
        ("C4-TOOL-01", "create_scratch, add_cell, update_cell, move_cell and delete_cell make and change notebooks."),
        ("C4-TOOL-02", "run_cell and run_all run cells; outputs are kept when a cell fails."),
        ("C4-TOOL-03", "import_scratch and export_scratch speak srcmd, ipynb and JSON."),
        ("C4-TOOL-07", "What /json gives can be imported, and is the same notebook again."),
        ("C4-TOOL-04", "save_scratch keeps a notebook as a source or note."),
        ("C4-TOOL-05", "A revision that is given and is not the notebook's is a conflict."),
        ("C4-TOOL-06", "A notebook holds 200 cells."),
    ),
]
