class TollCalculatorTest {

    private lateinit var calculator: TollCalculator

    @Before
    fun setUp() {
        calculator = TollCalculator()
    }

    @Test
    fun `returns zero for an empty list`() {
        val result = calculator.total(emptyList())
        assertEquals(0, result)
    }

    @Test(expected = IllegalArgumentException::class)
    fun `throws on negative axles`() {
        calculator.toll(-1)
    }
}
