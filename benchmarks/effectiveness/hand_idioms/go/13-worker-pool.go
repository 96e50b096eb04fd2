func process(jobs []Job, workers int) {
	var wg sync.WaitGroup
	ch := make(chan Job)

	for i := 0; i < workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for job := range ch {
				job.Run()
			}
		}()
	}

	for _, job := range jobs {
		ch <- job
	}
	close(ch)
	wg.Wait()
}
