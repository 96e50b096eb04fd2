enum class Wind(val code: Int) {
    CALM(0),
    BREEZE(1),
    GALE(2),
    STORM(3);

    companion object {
        fun fromCode(code: Int): Wind? = values().firstOrNull { it.code == code }
    }
}

fun describe(wind: Wind): String = when (wind) {
    Wind.CALM -> "calm"
    Wind.BREEZE -> "breeze"
    Wind.GALE -> "gale"
    Wind.STORM -> "storm"
}
