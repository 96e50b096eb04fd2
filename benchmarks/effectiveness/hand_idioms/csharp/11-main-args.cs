    class Program
    {
        static int Main(string[] args)
        {
            if (args.Length < 1)
            {
                Console.Error.WriteLine("Usage: knots <file>");
                return 1;
            }

            if (!File.Exists(args[0]))
            {
                Console.Error.WriteLine($"File not found: {args[0]}");
                return 1;
            }

            foreach (var line in File.ReadLines(args[0]))
            {
                Console.WriteLine(line.Trim());
            }

            return 0;
        }
    }
