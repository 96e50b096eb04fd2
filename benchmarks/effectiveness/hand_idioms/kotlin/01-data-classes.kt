data class Meadow(
    val id: Long,
    val name: String,
    val area: Double = 0.0,
    val owner: String? = null,
    val flowers: List<String> = emptyList()
)

data class Owner(
    val id: Long,
    val firstName: String,
    val lastName: String,
    val email: String
) {
    val fullName: String
        get() = "$firstName $lastName"
}
