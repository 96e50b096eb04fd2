#include <gtest/gtest.h>

#include "turnstile.h"

class TurnstileTest : public ::testing::Test {
protected:
    void SetUp() override { turnstile = std::make_unique<Turnstile>(); }
    void TearDown() override { turnstile.reset(); }

    std::unique_ptr<Turnstile> turnstile;
};

TEST_F(TurnstileTest, StartsLocked) {
    EXPECT_TRUE(turnstile->isLocked());
}

TEST_F(TurnstileTest, CoinUnlocks) {
    turnstile->insertCoin();
    EXPECT_FALSE(turnstile->isLocked());
    EXPECT_EQ(turnstile->coins(), 1);
}

int main(int argc, char** argv) { ::testing::InitGoogleTest(&argc, argv); return RUN_ALL_TESTS(); }
