"""Decks and infographics as files: laid out in points by measured text, then drawn or written as slides."""
