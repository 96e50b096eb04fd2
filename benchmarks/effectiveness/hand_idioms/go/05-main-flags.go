func main() {
	var (
		addr    = flag.String("addr", ":8080", "address to listen on")
		dir     = flag.String("dir", ".", "directory with the maps")
		verbose = flag.Bool("v", false, "verbose output")
	)
	flag.Parse()

	if flag.NArg() < 1 {
		flag.Usage()
		os.Exit(2)
	}

	if err := run(*addr, *dir, *verbose); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}
