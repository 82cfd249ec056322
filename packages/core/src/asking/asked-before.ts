/** What a run of a handler has asked and stored so far. */
import type { JsonObject } from '@sigil-mcp/protocol';
import type { QuestionDigest } from './question';
import type { StoredValue } from './stored-value';

/** What was asked and stored in one run of a handler, and of the calls that it runs. */
export class AskedBefore {
  /** The questions of the call, by their names within it. */
  readonly asked = new Map<string, QuestionDigest>();
  /** How often a question without a key was asked, by its name without a number. */
  readonly counts = new Map<string, number>();
  /** The answers by the keys that handlers passed: asking again under a key is the same question. */
  readonly answers = new Map<string, Promise<JsonObject>>();
  /** Running and stored results of `once`, by their keys. */
  readonly once = new Map<string, Promise<StoredValue>>();

  /** @param hold counts bytes that are held until the handler has ended; throws `Denial` if there is no room for them */
  constructor(readonly hold: (bytes: number) => void) {}
}
