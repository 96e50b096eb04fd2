    [TestFixture]
    public class TollBoothTests
    {
        private TollBooth _booth;

        [SetUp]
        public void SetUp()
        {
            _booth = new TollBooth();
        }

        [Test]
        public void Total_IsZero_WhenNothingPassed()
        {
            Assert.AreEqual(0, _booth.Total);
        }

        [Test]
        public void Pass_Throws_WhenVehicleIsNull()
        {
            Assert.Throws<ArgumentNullException>(() => _booth.Pass(null));
        }
    }
