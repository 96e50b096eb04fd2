export enum LockState {
  Open = 'OPEN',
  Closed = 'CLOSED',
  Filling = 'FILLING',
  Draining = 'DRAINING',
}

export function lockStateToString(state: LockState): string {
  switch (state) {
    case LockState.Open:
      return 'Open';
    case LockState.Closed:
      return 'Closed';
    case LockState.Filling:
      return 'Filling';
    case LockState.Draining:
      return 'Draining';
    default:
      throw new Error(`Unknown state: ${state}`);
  }
}
