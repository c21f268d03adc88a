"""Servers on loopback that the tests talk to instead of the real services."""
