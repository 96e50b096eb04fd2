bool operator==(const Coin& lhs, const Coin& rhs) {
    return lhs.value == rhs.value && lhs.currency == rhs.currency;
}

bool operator!=(const Coin& lhs, const Coin& rhs) {
    return !(lhs == rhs);
}

bool operator<(const Coin& lhs, const Coin& rhs) {
    return std::tie(lhs.currency, lhs.value) < std::tie(rhs.currency, rhs.value);
}

std::ostream& operator<<(std::ostream& os, const Coin& coin) {
    os << coin.value << " " << coin.currency;
    return os;
}
