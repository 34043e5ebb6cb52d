"""What a text is made of beside sentences: headings, lists, tables, labelled lines, questions with answers."""
