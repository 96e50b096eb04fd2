class Cinema(val title: String, val seats: Int) : Parcelable {
    constructor(parcel: Parcel) : this(
        parcel.readString() ?: "",
        parcel.readInt()
    )

    override fun writeToParcel(parcel: Parcel, flags: Int) {
        parcel.writeString(title)
        parcel.writeInt(seats)
    }

    override fun describeContents(): Int = 0

    companion object CREATOR : Parcelable.Creator<Cinema> {
        override fun createFromParcel(parcel: Parcel): Cinema {
            return Cinema(parcel)
        }

        override fun newArray(size: Int): Array<Cinema?> {
            return arrayOfNulls(size)
        }
    }
}
