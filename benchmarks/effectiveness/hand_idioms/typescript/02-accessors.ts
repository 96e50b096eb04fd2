export class Voucher {
  private _code: string;
  private _amount: number;
  private _expires: Date | null = null;

  constructor(code: string, amount: number) {
    this._code = code;
    this._amount = amount;
  }

  get code(): string {
    return this._code;
  }

  get amount(): number {
    return this._amount;
  }

  set amount(value: number) {
    this._amount = value;
  }
}
