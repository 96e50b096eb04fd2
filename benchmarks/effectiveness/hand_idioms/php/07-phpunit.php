<?php

use PHPUnit\Framework\TestCase;

class SundialTest extends TestCase
{
    private $sundial;

    protected function setUp(): void
    {
        parent::setUp();
        $this->sundial = new Sundial();
    }

    public function testReadsNoon(): void
    {
        $this->assertSame(12, $this->sundial->read(0));
    }

    public function testThrowsAtNight(): void
    {
        $this->expectException(\RuntimeException::class);
        $this->sundial->read(-30);
    }
}
