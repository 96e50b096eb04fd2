import unittest

from orchard import Basket


class TestBasket(unittest.TestCase):
    def setUp(self):
        self.basket = Basket()

    def tearDown(self):
        self.basket = None

    def test_add(self):
        self.basket.add("apple", 3)
        self.assertEqual(self.basket.count("apple"), 3)

    def test_remove_missing_raises(self):
        with self.assertRaises(KeyError):
            self.basket.remove("pear")


if __name__ == "__main__":
    unittest.main()
