"""Language models behind HTTP: OpenAI's protocol, Anthropic's and Google's."""
