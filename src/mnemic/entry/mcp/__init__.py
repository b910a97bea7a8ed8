"""The MCP server: the memory for any client that speaks the Model Context Protocol."""
