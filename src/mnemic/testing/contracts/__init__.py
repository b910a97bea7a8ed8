"""What every adapter of a port must do, as test classes to inherit from.

A subclass gives the fixtures that the class names; pytest finds the inherited tests. Needs pytest.
"""
