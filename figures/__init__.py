"""The papers' figures that synthetic problems can show, and the studies behind them."""
