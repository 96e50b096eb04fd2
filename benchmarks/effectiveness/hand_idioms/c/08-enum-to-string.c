typedef enum {
    CHEESE_FRESH,
    CHEESE_SOFT,
    CHEESE_HARD,
    CHEESE_BLUE
} cheese_kind;

const char *cheese_kind_to_string(cheese_kind kind)
{
    switch (kind) {
    case CHEESE_FRESH:
        return "fresh";
    case CHEESE_SOFT:
        return "soft";
    case CHEESE_HARD:
        return "hard";
    case CHEESE_BLUE:
        return "blue";
    default:
        return "unknown";
    }
}
