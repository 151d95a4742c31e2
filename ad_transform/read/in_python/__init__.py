"""Functions and classes of the library that are read as Python has them.

The files of this folder are never imported: the reader takes them as it takes files of
the project. They bind nothing but functions and classes, and have no comments, which
the output would keep. `np: Any = None` stands for the import of numpy.
"""
