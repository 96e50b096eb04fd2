import * as fs from 'fs';
import * as path from 'path';

export * from './harvest';
export * from './field';
export { Tractor } from './tractor';
export type { TractorOptions } from './tractor';

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function isDefined<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

export function readJson<T>(file: string): T {
  return JSON.parse(fs.readFileSync(path.resolve(file), 'utf-8'));
}
