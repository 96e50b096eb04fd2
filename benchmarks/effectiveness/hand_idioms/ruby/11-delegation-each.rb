require 'forwardable'

class Aviary
  include Enumerable
  extend Forwardable

  def_delegators :@birds, :size, :empty?, :[], :<<

  def initialize(birds = [])
    @birds = birds
  end

  def each(&block)
    return enum_for(:each) unless block_given?

    @birds.each(&block)
    self
  end
end
