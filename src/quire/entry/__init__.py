"""Ways in: the command line, MCP, HTTP and the page."""
