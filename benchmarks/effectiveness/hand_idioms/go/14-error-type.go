var (
	ErrNotFound = errors.New("orchid: not found")
	ErrExists   = errors.New("orchid: already exists")
)

type WateringError struct {
	Op  string
	Err error
}

func (e *WateringError) Error() string {
	return e.Op + ": " + e.Err.Error()
}

func (e *WateringError) Unwrap() error {
	return e.Err
}

func IsNotFound(err error) bool {
	return errors.Is(err, ErrNotFound)
}
