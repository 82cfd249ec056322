/** What was cut from a result: the text in which it is stored, and what is read from it. */
import { isObject } from '@sigil-mcp/core/adapter';

/** A result whose list was cut. Undefined `list`: the data are a list themselves. */
export interface ListRest {
  readonly kind: 'list';
  /** The tool whose result it is. */
  readonly tool: string;
  readonly list: string | undefined;
  /** The data with an empty list. */
  readonly data: Readonly<Record<string, unknown>>;
  /** All items, those of earlier parts included. */
  readonly items: readonly unknown[];
}

/** A result whose text was cut. */
export interface TextRest {
  readonly kind: 'text';
  readonly tool: string;
  readonly text: string;
}

/** An embedded resource that was too long. */
export interface FileRest {
  readonly kind: 'file';
  readonly tool: string;
  readonly mimeType?: string;
  /** One of both. */
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
}

/** What was cut from a result. */
export type Rest = ListRest | TextRest | FileRest;

/** Reads what was stored; undefined for any other text. */
export function readRest(text: string): Rest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Only this package stores there.
    return isObject(value) && typeof value['kind'] === 'string' ? (value as unknown as Rest) : undefined;
  } catch {
    return undefined;
  }
}

/** The contents of its resource, from a place on; undefined for a place that it does not have. */
export function contentsOf(
  rest: Rest,
  from: number,
): { readonly mimeType: string; readonly text?: string; readonly blob?: string } | undefined {
  if (from < 0) return undefined;
  switch (rest.kind) {
    case 'list':
      return from < rest.items.length
        ? { mimeType: 'application/json', text: JSON.stringify(rest.items.slice(from)) }
        : undefined;
    case 'text':
      return from < rest.text.length ? { mimeType: 'text/plain', text: rest.text.slice(from) } : undefined;
    case 'file': {
      const { mimeType = 'application/octet-stream', text, blob } = rest;
      if (from !== 0) return undefined;
      return text === undefined ? { mimeType, blob: blob ?? '' } : { mimeType, text };
    }
  }
}
