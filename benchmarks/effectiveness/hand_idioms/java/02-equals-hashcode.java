    @Override
    public boolean equals(Object o) {
        if (this == o) return true;
        if (o == null || getClass() != o.getClass()) return false;
        Cottage cottage = (Cottage) o;
        return rooms == cottage.rooms &&
                Objects.equals(name, cottage.name) &&
                Objects.equals(village, cottage.village);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, village, rooms);
    }

    @Override
    public String toString() {
        return "Cottage{" +
                "name='" + name + '\'' +
                ", village='" + village + '\'' +
                ", rooms=" + rooms +
                '}';
    }
