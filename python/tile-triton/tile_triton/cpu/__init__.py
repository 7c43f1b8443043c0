"""The backend for machines without a GPU."""
