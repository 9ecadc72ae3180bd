"""Experiments of the paper on FedBC."""
