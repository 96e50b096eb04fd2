"""Whether a document is a copy: signs, and the probability that they make."""
