type Phase int

const (
	PhaseUnknown Phase = iota
	PhaseNew
	PhaseWaxing
	PhaseFull
	PhaseWaning
)

func (p Phase) String() string {
	switch p {
	case PhaseNew:
		return "new"
	case PhaseWaxing:
		return "waxing"
	case PhaseFull:
		return "full"
	case PhaseWaning:
		return "waning"
	default:
		return fmt.Sprintf("Phase(%d)", int(p))
	}
}
