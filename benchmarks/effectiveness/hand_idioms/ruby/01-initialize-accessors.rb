class Kayak
  include Comparable

  attr_reader :name, :length
  attr_accessor :color

  def initialize(name, length, color = nil)
    @name = name
    @length = length
    @color = color
  end

  def <=>(other)
    length <=> other.length
  end

  def to_s
    "#{name} (#{length})"
  end
end
