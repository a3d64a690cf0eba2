"""The parts of a report: texts and tables as HTML, its template, sentences, sections."""
