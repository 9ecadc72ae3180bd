"""Claims in inner products: Gram matrices and their certificates."""
