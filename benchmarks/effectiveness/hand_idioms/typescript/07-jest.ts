import { Thermostat } from '../src/thermostat';

describe('Thermostat', () => {
  let thermostat: Thermostat;

  beforeEach(() => {
    thermostat = new Thermostat();
  });

  afterEach(() => {
    jest.clearAllMocks();
  });

  it('should be defined', () => {
    expect(thermostat).toBeDefined();
  });

  it('should return the target', () => {
    thermostat.setTarget(21);
    expect(thermostat.getTarget()).toBe(21);
  });
});
