static void die(const char *msg)
{
    fprintf(stderr, "%s\n", msg);
    exit(1);
}

void *bell_malloc(size_t size)
{
    void *p = malloc(size);
    if (p == NULL)
        die("out of memory");
    return p;
}

char *bell_strdup(const char *s)
{
    size_t len = strlen(s) + 1;
    char *p = bell_malloc(len);
    memcpy(p, s, len);
    return p;
}
