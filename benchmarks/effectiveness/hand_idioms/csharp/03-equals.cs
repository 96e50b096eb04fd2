        public override bool Equals(object obj)
        {
            return Equals(obj as Lantern);
        }

        public bool Equals(Lantern other)
        {
            if (other is null) return false;
            if (ReferenceEquals(this, other)) return true;
            return Color == other.Color && Height == other.Height;
        }

        public override int GetHashCode()
        {
            return HashCode.Combine(Color, Height);
        }

        public static bool operator ==(Lantern left, Lantern right) => Equals(left, right);

        public static bool operator !=(Lantern left, Lantern right) => !Equals(left, right);
