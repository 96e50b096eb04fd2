public class Shipment {
    private static final long serialVersionUID = 1L;

    private final String sender;
    private final String recipient;
    private final double weight;
    private final LocalDate sentOn;

    public Shipment(String sender, String recipient, double weight) {
        this(sender, recipient, weight, LocalDate.now());
    }

    public Shipment(String sender, String recipient, double weight, LocalDate sentOn) {
        this.sender = sender;
        this.recipient = recipient;
        this.weight = weight;
        this.sentOn = sentOn;
    }
}
