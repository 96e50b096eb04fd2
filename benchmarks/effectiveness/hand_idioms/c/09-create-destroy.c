pond_t *pond_create(int width, int height)
{
    pond_t *pond = calloc(1, sizeof(*pond));
    if (pond == NULL)
        return NULL;
    pond->width = width;
    pond->height = height;
    pond->cells = malloc(width * height * sizeof(*pond->cells));
    if (pond->cells == NULL) {
        free(pond);
        return NULL;
    }
    return pond;
}

void pond_destroy(pond_t *pond)
{
    if (pond == NULL)
        return;
    free(pond->cells);
    free(pond);
}
