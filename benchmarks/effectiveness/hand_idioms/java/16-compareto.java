    @Override
    public int compareTo(Runner other) {
        int result = Integer.compare(this.rank, other.rank);
        if (result != 0) {
            return result;
        }
        return this.name.compareTo(other.name);
    }

    public static void main(String[] args) {
        if (args.length < 1) {
            System.err.println("Usage: java Runner <file>");
            System.exit(1);
        }
        List<Runner> runners = load(args[0]);
        Collections.sort(runners);
        for (Runner runner : runners) {
            System.out.println(runner);
        }
    }
