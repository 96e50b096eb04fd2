    public sealed class HarvestCalendar
    {
        private static readonly Lazy<HarvestCalendar> lazy =
            new Lazy<HarvestCalendar>(() => new HarvestCalendar());

        public static HarvestCalendar Instance { get { return lazy.Value; } }

        private readonly Dictionary<string, DateTime> _dates = new Dictionary<string, DateTime>();

        private HarvestCalendar()
        {
        }

        public bool TryGet(string crop, out DateTime date)
        {
            return _dates.TryGetValue(crop, out date);
        }
    }
