#define offset_of(type, member) ((size_t)&((type *)0)->member)

#define container_of(ptr, type, member) ({                      \
	const typeof(((type *)0)->member) *__mptr = (ptr);      \
	(type *)((char *)__mptr - offset_of(type, member)); })

struct chain {
	struct chain *next, *prev;
};

#define chain_for_each(pos, head) \
	for (pos = (head)->next; pos != (head); pos = pos->next)

static inline void chain_init(struct chain *head)
{
	head->next = head;
	head->prev = head;
}
