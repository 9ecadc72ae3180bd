"""Closed forms of FedBC: its descent, its constants, and what multipliers trade."""
