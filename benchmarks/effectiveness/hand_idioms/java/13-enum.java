public enum Crust {
    THIN("thin"),
    THICK("thick"),
    STUFFED("stuffed");

    private final String value;

    Crust(String value) {
        this.value = value;
    }

    public String getValue() {
        return value;
    }

    public static Crust fromValue(String value) {
        for (Crust crust : values()) {
            if (crust.value.equals(value)) {
                return crust;
            }
        }
        throw new IllegalArgumentException("Unknown crust: " + value);
    }
}
