"""Figures of the paper on FedBC."""
