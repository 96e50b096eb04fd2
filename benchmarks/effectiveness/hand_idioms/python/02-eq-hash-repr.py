class Harbor:
    def __eq__(self, other):
        if not isinstance(other, Harbor):
            return NotImplemented
        return self.name == other.name and self.country == other.country

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((self.name, self.country))

    def __repr__(self):
        return f"{self.__class__.__name__}(name={self.name!r}, country={self.country!r})"

    def __str__(self):
        return self.name
