function Depot(options) {
  if (!(this instanceof Depot)) {
    return new Depot(options);
  }
  EventEmitter.call(this);
  this.options = options || {};
  this.trams = [];
}

util.inherits(Depot, EventEmitter);

Depot.prototype.add = function (tram) {
  this.trams.push(tram);
  this.emit('add', tram);
  return this;
};

Depot.prototype.size = function () {
  return this.trams.length;
};

module.exports = Depot;
