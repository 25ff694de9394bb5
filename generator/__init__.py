"""Bespoke: cuts C containers to measure from YAML specs."""
