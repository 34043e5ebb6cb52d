"""What one can do: every capability declared once, and the guard that each call passes."""
