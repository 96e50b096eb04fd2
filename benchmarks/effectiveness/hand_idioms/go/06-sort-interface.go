type byArrival []Train

func (a byArrival) Len() int           { return len(a) }
func (a byArrival) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a byArrival) Less(i, j int) bool { return a[i].Arrival.Before(a[j].Arrival) }

func sortTrains(trains []Train) []Train {
	sorted := make([]Train, len(trains))
	copy(sorted, trains)
	sort.Sort(byArrival(sorted))
	return sorted
}
