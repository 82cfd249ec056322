/** Asks the server what a speaker may do with each entry, and what decides it. No handler runs: the request is one for a list. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@sigil-mcp/client';
import type { Clock, Timer } from '@sigil-mcp/base';
import { reasonOf } from '@sigil-mcp/cli/kit';
import { EntryPlaces, JUDGE, type EntryPositions, type JudgedEntries, type JudgedEntry } from '@sigil-mcp/cli/kit/dev';
import { pageError } from './errors';
import type { PageClients, Speaker } from './page-clients';

/** Milliseconds for the report after the answer: it comes on another pipe. */
const PATIENCE = 3000;

/** Who the speaker is for the server, and its entries with their positions. */
export interface JudgedPage {
  readonly caller: JudgedEntries['caller'];
  readonly entries: readonly (JudgedEntry & EntryPositions)[];
}

/** Waits for the reports of the server. */
export class PageJudge {
  readonly #waiting = new Map<string, (judged: JudgedEntries) => void>();
  readonly #places: EntryPlaces;

  /** @param folder of the project */
  constructor(
    private readonly clients: PageClients,
    private readonly clock: Clock,
    folder: string,
  ) {
    this.#places = new EntryPlaces(folder);
  }

  /** Takes a report. */
  readonly take = (judged: JudgedEntries): void => this.#waiting.get(judged.id)?.(judged);

  /** @returns what the speaker may do; `problem` says why this is not known, such as a token that is refused */
  async judge(speaker: Speaker): Promise<JudgedPage | { readonly problem: string }> {
    const id = randomUUID();
    try {
      const reported = new Promise<JudgedEntries>((resolve) => this.#waiting.set(id, resolve));
      const client = await this.clients.get(speaker);
      await askFor(client, id);
      const { caller, entries } = await this.#soon(reported);
      const places = this.#places.find(entries);
      return { caller, entries: entries.map((entry, index) => ({ ...entry, ...placesAt(places, index) })) };
    } catch (error) {
      return { problem: reasonOf(error) };
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #soon<T>(work: Promise<T>): Promise<T> {
    const reason = 'the server reports nothing about its entries. Install the same version of all @sigil-mcp packages';
    let timer: Timer | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = this.clock.after(PATIENCE, () => reject(pageError('SIGIL_DEV_PAGE_REQUEST', { reason })));
    });
    return Promise.race([work, late]).finally(() => timer?.close());
  }
}

function placesAt(places: readonly EntryPositions[], index: number): EntryPositions {
  return places[index] ?? { place: undefined, guardPlace: undefined, ruledBy: undefined };
}

/** One list says it for the entries of all kinds. A guard that has thrown makes the list an error, and is reported anyway. */
async function askFor(client: Client, id: string): Promise<void> {
  const { tools, resources } = client.server.capabilities;
  const method = tools ? 'tools/list' : resources ? 'resources/list' : 'prompts/list';
  await client.request(method, {}, { meta: { [JUDGE]: id } }).catch((error: unknown) => {
    if (!/^Internal error/.test(reasonOf(error))) throw error;
  });
}
