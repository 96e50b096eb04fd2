"""What any layer may use: nothing here knows what the product is for."""
