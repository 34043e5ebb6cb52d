"""What is seen in video overviews, drawn."""
