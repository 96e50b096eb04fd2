export class PrinterPool {
  private static instance: PrinterPool;
  private printers: Map<string, Printer> = new Map();

  private constructor() {}

  public static getInstance(): PrinterPool {
    if (!PrinterPool.instance) {
      PrinterPool.instance = new PrinterPool();
    }
    return PrinterPool.instance;
  }

  public get(name: string): Printer | undefined {
    return this.printers.get(name);
  }

  public has(name: string): boolean {
    return this.printers.has(name);
  }
}
