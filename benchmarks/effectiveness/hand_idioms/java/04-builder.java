    public static class Builder {
        private String origin;
        private String destination;
        private int passengers;

        public Builder origin(String origin) {
            this.origin = origin;
            return this;
        }

        public Builder destination(String destination) {
            this.destination = destination;
            return this;
        }

        public Builder passengers(int passengers) {
            this.passengers = passengers;
            return this;
        }

        public Voyage build() {
            return new Voyage(origin, destination, passengers);
        }
    }
