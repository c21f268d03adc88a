"""A training file: `file` reads one, `model` and `write` make one, `rules` judge one,
`dialects` tells the generations apart and `convert` brings old ones up, `cost` prices one.
"""
