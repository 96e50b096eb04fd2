int load_tides(const char *filename)
{
    char line[256];
    FILE *file = fopen(filename, "r");

    if (!file) {
        perror(filename);
        return -1;
    }

    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (sscanf(line, "%d %d", &tides[count].hour, &tides[count].level) == 2)
            count++;
    }

    fclose(file);
    return 0;
}
