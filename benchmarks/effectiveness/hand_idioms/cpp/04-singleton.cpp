class SoundMixer {
public:
    static SoundMixer& getInstance() {
        static SoundMixer instance;
        return instance;
    }

    SoundMixer(const SoundMixer&) = delete;
    SoundMixer& operator=(const SoundMixer&) = delete;
    SoundMixer(SoundMixer&&) = delete;
    SoundMixer& operator=(SoundMixer&&) = delete;

    void setVolume(int volume) { volume_ = volume; }
    int getVolume() const { return volume_; }

private:
    SoundMixer() = default;
    ~SoundMixer() = default;

    int volume_ = 50;
};
