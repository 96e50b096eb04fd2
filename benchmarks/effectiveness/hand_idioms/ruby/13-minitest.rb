require 'minitest/autorun'
require_relative '../lib/metronome'

class MetronomeTest < Minitest::Test
  def setup
    @metronome = Metronome.new(60)
  end

  def teardown
    @metronome = nil
  end

  def test_tempo
    assert_equal 60, @metronome.tempo
  end

  def test_invalid_tempo
    assert_raises(ArgumentError) { Metronome.new(0) }
  end
end
