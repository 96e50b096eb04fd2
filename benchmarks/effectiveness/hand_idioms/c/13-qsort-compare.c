static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

static int compare_sheep(const void *a, const void *b)
{
    const struct sheep *x = a;
    const struct sheep *y = b;
    return strcmp(x->name, y->name);
}

void sort_sheep(struct sheep *flock, size_t n)
{
    qsort(flock, n, sizeof(struct sheep), compare_sheep);
}
