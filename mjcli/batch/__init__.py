"""Many at once, in arrays: the same answers as the modules for one, in chunks that stay in the processor's cache."""
