"""Looking for remains of what was forgotten, byte by byte: in the files of a bundle and in the objects of git."""
