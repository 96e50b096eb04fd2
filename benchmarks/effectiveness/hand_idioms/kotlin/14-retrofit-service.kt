interface LibraryService {
    @GET("loans")
    suspend fun getLoans(@Query("page") page: Int): Response<List<Loan>>

    @GET("loans/{id}")
    suspend fun getLoan(@Path("id") id: String): Response<Loan>

    @POST("loans")
    suspend fun createLoan(@Body loan: Loan): Response<Loan>
}

object LibraryClient {
    private const val BASE_URL = "https://library.invalid/api/"

    val service: LibraryService by lazy {
        Retrofit.Builder()
            .baseUrl(BASE_URL)
            .addConverterFactory(GsonConverterFactory.create())
            .build()
            .create(LibraryService::class.java)
    }
}
