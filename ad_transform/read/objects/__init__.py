"""Classes and their objects: fields that change, methods, members of an `Enum`."""
