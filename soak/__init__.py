"""Hours of faults, tried at random: `./dev soak`. What they are, and what came of them, is in docs/reliability.md."""
