public class InvoiceTest {

    private Invoice invoice;

    @Before
    public void setUp() throws Exception {
        invoice = new Invoice();
    }

    @After
    public void tearDown() throws Exception {
        invoice = null;
    }

    @Test
    public void testTotalIsZeroWhenEmpty() {
        assertEquals(0, invoice.getTotal());
    }

    @Test(expected = IllegalArgumentException.class)
    public void testAddNullThrows() {
        invoice.add(null);
    }
}
