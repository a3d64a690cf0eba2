"""What a report is made of: words and tables as HTML, its template, sentences, sections."""
