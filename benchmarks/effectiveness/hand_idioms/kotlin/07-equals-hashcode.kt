    override fun equals(other: Any?): Boolean {
        if (this === other) return true
        if (javaClass != other?.javaClass) return false

        other as Spice

        if (name != other.name) return false
        if (origin != other.origin) return false
        if (grams != other.grams) return false

        return true
    }

    override fun hashCode(): Int {
        var result = name.hashCode()
        result = 31 * result + (origin?.hashCode() ?: 0)
        result = 31 * result + grams
        return result
    }
