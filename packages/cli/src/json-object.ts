/** Objects from elsewhere: schemas, messages, manifests and modules. */
import { readFileSync } from 'node:fs';
import { isObject } from '@sigil-mcp/base';

/** Any object with keys; its members have not been checked. */
export type LooseObject = Readonly<Record<string, unknown>>;

/** The object in a text of JSON; undefined for every other text. */
export function objectIn(text: string): LooseObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The object in a file of JSON; empty for every other file, and without one. */
export function readObject(path: string): LooseObject {
  try {
    return objectIn(readFileSync(path, 'utf8')) ?? {};
  } catch {
    return {};
  }
}
