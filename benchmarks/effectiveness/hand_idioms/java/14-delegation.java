    @Override
    public int size() {
        return tickets.size();
    }

    @Override
    public boolean isEmpty() {
        return tickets.isEmpty();
    }

    @Override
    public boolean contains(Object o) {
        return tickets.contains(o);
    }

    @Override
    public Iterator<Ticket> iterator() {
        return tickets.iterator();
    }

    @Override
    public void clear() {
        tickets.clear();
    }
