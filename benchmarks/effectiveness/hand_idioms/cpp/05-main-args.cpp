#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

int main(int argc, char* argv[]) {
    if (argc < 3) {
        std::cerr << "Usage: " << argv[0] << " <garden> <season>" << std::endl;
        return EXIT_FAILURE;
    }

    try {
        std::string garden = argv[1];
        int season = std::stoi(argv[2]);
        plan(garden, season);
    } catch (const std::exception& e) {
        std::cerr << "Error: " << e.what() << std::endl;
        return EXIT_FAILURE;
    }

    return EXIT_SUCCESS;
}
