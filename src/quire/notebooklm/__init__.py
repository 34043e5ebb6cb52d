"""The bridge to NotebookLM's protocol: one description of the wire, used from both ends."""
