"""Forms: made from the parameter declarations of a spec, never written by hand."""
