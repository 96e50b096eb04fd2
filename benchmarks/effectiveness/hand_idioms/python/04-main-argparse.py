def main():
    parser = argparse.ArgumentParser(description="Count the herons in a log of sightings.")
    parser.add_argument("input", help="path to the input file")
    parser.add_argument("-o", "--output", default=None, help="path to the output file")
    parser.add_argument("-v", "--verbose", action="store_true", help="enable verbose output")
    args = parser.parse_args()

    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.INFO)

    if not os.path.exists(args.input):
        print(f"File not found: {args.input}", file=sys.stderr)
        sys.exit(1)

    sightings = load_sightings(args.input)
    write_report(sightings, args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
