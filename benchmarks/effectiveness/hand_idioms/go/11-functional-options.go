type Option func(*Kiln)

func WithTemperature(t int) Option {
	return func(k *Kiln) {
		k.temperature = t
	}
}

func WithLogger(l *log.Logger) Option {
	return func(k *Kiln) {
		k.logger = l
	}
}

func NewKiln(opts ...Option) *Kiln {
	k := &Kiln{temperature: 900, logger: log.Default()}
	for _, opt := range opts {
		opt(k)
	}
	return k
}
