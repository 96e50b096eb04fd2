type Ferry struct {
	mu       sync.RWMutex
	name     string
	capacity int
}

func NewFerry(name string, capacity int) *Ferry {
	return &Ferry{
		name:     name,
		capacity: capacity,
	}
}

func (f *Ferry) Name() string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.name
}

func (f *Ferry) SetName(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.name = name
}
