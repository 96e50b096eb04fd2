class Greenhouse {
  constructor(name, temperature, humidity) {
    this._name = name;
    this._temperature = temperature;
    this._humidity = humidity;
  }

  get name() {
    return this._name;
  }

  set name(value) {
    this._name = value;
  }

  get temperature() {
    return this._temperature;
  }

  set temperature(value) {
    this._temperature = value;
  }
}
