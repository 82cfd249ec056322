/** Keeps rests for their callers, and finds them again. */
import { randomBytes } from 'node:crypto';
import type { ExtensionCall, ExtensionServices, McpContext, Sealer } from '@sigil-mcp/core';
import { resultsError } from '../errors';
import type { RestStore } from '../stores/rest-store';
import { isObject, parseJson } from '@sigil-mcp/core/internal';

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

/** Bytes of an id, which nobody can guess. */
const ID_BYTES = 16;
/** Milliseconds between two lines of the log about a store that fails. */
const REPORT_INTERVAL = 10_000;

/** The rests of one server. */
export class KeptRests {
  readonly #sealer: Sealer | undefined;
  #reported = Number.NEGATIVE_INFINITY;

  /** @throws SigilError if others can read the store, and the server cannot seal what it keeps */
  constructor(
    private readonly store: RestStore,
    private readonly services: Pick<ExtensionServices, 'seal' | 'hasSecrets' | 'clock' | 'logger'>,
  ) {
    if (store.isShared && !services.hasSecrets) throw resultsError('SIGIL_RESULTS_SECRETS');
    this.#sealer = store.isShared ? services.seal('result') : undefined;
  }

  /** @returns its id; undefined if it is not kept */
  async keep(rest: Rest, { context, countedFor }: ExtensionCall, ttl: number): Promise<string | undefined> {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const text = JSON.stringify(rest);
    const owner = ownerOf(context.caller);
    const stored = { id, owner, countedFor, text: this.#sealer?.seal(text) ?? text, ttl };
    try {
      return (await this.store.keep(stored)) ? id : undefined;
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** What the caller may read; undefined if there is nothing, or nothing any more. */
  async find(id: string, { caller }: McpContext): Promise<Rest | undefined> {
    try {
      const stored = await this.store.find(id, ownerOf(caller));
      const text = stored === undefined || !this.#sealer ? stored : this.#sealer.open(stored);
      return text === undefined ? undefined : readRest(text);
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** Logs why the store fails, from time to time. */
  #report(error: unknown): void {
    const { clock, logger } = this.services;
    if (clock.elapsed() < this.#reported + REPORT_INTERVAL) return;
    this.#reported = clock.elapsed();
    logger.warn({ err: error }, 'The store of results has failed: until it works again, the rest of a result is lost');
  }
}

/** Callers whose identity was not proven are one: an id that nobody can guess keeps them apart. */
function ownerOf({ principal }: McpContext['caller']): string {
  return principal ?? 'anonymous';
}

/** Reads what was stored; undefined for any other text. */
function readRest(text: string): Rest | undefined {
  const value = parseJson(text);
  // Only this package stores there.
  return isObject(value) && typeof value['kind'] === 'string' ? (value as unknown as Rest) : undefined;
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
