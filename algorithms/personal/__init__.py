"""Methods in which every client keeps a model of its own beside a common one."""
