  def ==(other)
    other.is_a?(self.class) &&
      street == other.street &&
      number == other.number
  end
  alias eql? ==

  def hash
    [self.class, street, number].hash
  end

  def inspect
    "#<#{self.class.name} street=#{street.inspect} number=#{number.inspect}>"
  end

  def to_h
    { street: street, number: number }
  end
