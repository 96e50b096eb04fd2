    explicit Canvas(size_t size) : size_(size), data_(new int[size]) {}

    ~Canvas() { delete[] data_; }

    Canvas(const Canvas& other) : size_(other.size_), data_(new int[other.size_]) {
        std::copy(other.data_, other.data_ + size_, data_);
    }

    Canvas(Canvas&& other) noexcept : size_(other.size_), data_(other.data_) {
        other.size_ = 0;
        other.data_ = nullptr;
    }

    Canvas& operator=(Canvas other) {
        std::swap(size_, other.size_);
        std::swap(data_, other.data_);
        return *this;
    }
