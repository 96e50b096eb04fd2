public interface ClauseVisitor<T> {
    T visitText(TextClause clause);

    T visitList(ListClause clause);

    T visitTable(TableClause clause);
}

class TextClause extends Clause {
    private final String text;

    TextClause(String text) {
        this.text = text;
    }

    @Override
    public <T> T accept(ClauseVisitor<T> visitor) {
        return visitor.visitText(this);
    }
}
