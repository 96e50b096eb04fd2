class BrewException : public std::exception {
public:
    explicit BrewException(const std::string& message) : message_(message) {}

    const char* what() const noexcept override {
        return message_.c_str();
    }

private:
    std::string message_;
};

class KettleEmpty : public BrewException {
public:
    KettleEmpty() : BrewException("kettle is empty") {}
};
