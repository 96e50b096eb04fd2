enum class Gait { Walk, Trot, Canter, Gallop };

std::string toString(Gait gait) {
    switch (gait) {
        case Gait::Walk:
            return "Walk";
        case Gait::Trot:
            return "Trot";
        case Gait::Canter:
            return "Canter";
        case Gait::Gallop:
            return "Gallop";
        default:
            return "Unknown";
    }
}
