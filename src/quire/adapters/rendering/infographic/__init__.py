"""Infographics: themes, the blocks on their cards, and how cards share a sheet."""
