struct wagon *wagon_append(struct wagon *head, int number)
{
    struct wagon *node = malloc(sizeof(struct wagon));
    if (!node)
        return NULL;
    node->number = number;
    node->next = NULL;
    if (!head)
        return node;
    struct wagon *cur = head;
    while (cur->next != NULL)
        cur = cur->next;
    cur->next = node;
    return head;
}

void wagon_free(struct wagon *head)
{
    while (head) {
        struct wagon *next = head->next;
        free(head);
        head = next;
    }
}
