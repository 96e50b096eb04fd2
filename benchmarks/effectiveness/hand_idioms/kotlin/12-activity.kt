class CheckoutActivity : AppCompatActivity() {

    private lateinit var binding: ActivityCheckoutBinding

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        binding = ActivityCheckoutBinding.inflate(layoutInflater)
        setContentView(binding.root)

        binding.payButton.setOnClickListener {
            val intent = Intent(this, ReceiptActivity::class.java)
            intent.putExtra(EXTRA_TOTAL, binding.total.text.toString())
            startActivity(intent)
        }
    }

    companion object {
        const val EXTRA_TOTAL = "extra_total"
    }
}
