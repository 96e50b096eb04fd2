int main(int argc, char *argv[])
{
    int opt;
    int verbose = 0;
    const char *output = NULL;

    while ((opt = getopt(argc, argv, "ho:v")) != -1) {
        switch (opt) {
        case 'o':
            output = optarg;
            break;
        case 'v':
            verbose = 1;
            break;
        case 'h':
        default:
            fprintf(stderr, "Usage: %s [-v] [-o output] recipe\n", argv[0]);
            exit(EXIT_FAILURE);
        }
    }

    return bake(argv[optind], output, verbose);
}
