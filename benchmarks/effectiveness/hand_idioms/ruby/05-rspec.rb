require 'spec_helper'

RSpec.describe Abacus do
  subject(:abacus) { described_class.new }

  let(:beads) { [1, 2, 3] }

  before do
    abacus.load(beads)
  end

  describe '#sum' do
    it 'returns the sum of the beads' do
      expect(abacus.sum).to eq(6)
    end

    context 'when there are no beads' do
      let(:beads) { [] }

      it { expect(abacus.sum).to eq(0) }
    end
  end
end
