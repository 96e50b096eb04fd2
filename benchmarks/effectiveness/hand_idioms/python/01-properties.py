class Parcel:
    def __init__(self, weight, width, height):
        self._weight = weight
        self._width = width
        self._height = height

    @property
    def weight(self):
        return self._weight

    @weight.setter
    def weight(self, value):
        if value < 0:
            raise ValueError("weight must not be negative")
        self._weight = value

    @property
    def width(self):
        return self._width

    @property
    def height(self):
        return self._height
