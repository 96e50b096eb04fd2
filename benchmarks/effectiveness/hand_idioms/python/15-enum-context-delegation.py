class Season(Enum):
    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"

    @classmethod
    def from_string(cls, value):
        try:
            return cls(value.lower())
        except ValueError:
            raise ValueError(f"unknown season: {value}")


class Almanac:
    def __len__(self):
        return len(self._pages)

    def __iter__(self):
        return iter(self._pages)

    def __getitem__(self, key):
        return self._pages[key]
