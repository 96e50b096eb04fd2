#define LOG_LEVEL_ERROR 0
#define LOG_LEVEL_WARN 1
#define LOG_LEVEL_INFO 2
#define LOG_LEVEL_DEBUG 3

#ifndef MILL_LOG_LEVEL
#define MILL_LOG_LEVEL LOG_LEVEL_INFO
#endif

#define LOG(level, fmt, ...)                                             \
    do {                                                                 \
        if (level <= MILL_LOG_LEVEL)                                     \
            fprintf(stderr, "%s:%d: " fmt "\n", __FILE__, __LINE__, ##__VA_ARGS__); \
    } while (0)

#define log_error(...) LOG(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_info(...) LOG(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) LOG(LOG_LEVEL_DEBUG, __VA_ARGS__)
