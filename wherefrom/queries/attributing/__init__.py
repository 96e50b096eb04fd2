"""Whether a location says where its code came from."""
