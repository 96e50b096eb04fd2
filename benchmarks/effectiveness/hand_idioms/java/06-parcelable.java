    protected Campsite(Parcel in) {
        name = in.readString();
        pitches = in.readInt();
    }

    public static final Creator<Campsite> CREATOR = new Creator<Campsite>() {
        @Override
        public Campsite createFromParcel(Parcel in) {
            return new Campsite(in);
        }

        @Override
        public Campsite[] newArray(int size) {
            return new Campsite[size];
        }
    };

    @Override
    public void writeToParcel(Parcel dest, int flags) {
        dest.writeString(name);
        dest.writeInt(pitches);
    }
