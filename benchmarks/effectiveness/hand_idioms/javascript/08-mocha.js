const { expect } = require('chai');
const Ledger = require('../lib/ledger');

describe('Ledger', function () {
  let ledger;

  beforeEach(function () {
    ledger = new Ledger();
  });

  describe('#deposit()', function () {
    it('should increase the balance', function () {
      ledger.deposit(100);
      expect(ledger.balance).to.equal(100);
    });

    it('should throw on a negative amount', function () {
      expect(() => ledger.deposit(-1)).to.throw(Error);
    });
  });
});
