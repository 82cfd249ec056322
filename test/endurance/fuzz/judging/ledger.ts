/** What was sent on an ordered pipe and what came back: each readable id has exactly one answer, and nothing else comes. */
import type { Message } from '../../../support/transcript';
import { NEWEST } from '../traffic/valid-messages';
import { expectationOf, type Expectation, type ReadRequest } from './expectation';
import { validateMessage } from '../../../support/supplies/judge-message';

/** What a message that is no response may be judged by, and what one is known to answer. */
interface Judged {
  /** Whatever is spoken on the connection; the message has to fit one of them. */
  readonly revisions: readonly string[];
  /** The methods of the requests that a response may belong to; empty where they are not known. */
  readonly methods: readonly (string | undefined)[];
}

/** Of one id: how many answers may come, and to what. */
interface Account {
  least: number;
  most: number;
  came: number;
  readonly requests: ReadRequest[];
}

const LAST_HANDSHAKE = '2025-11-25';

/** Kept for one client. */
export class Ledger {
  readonly problems: string[] = [];
  readonly #accounts = new Map<string, Account>();
  readonly #cancelled = new Map<string, number>();
  /** Errors that name no request. */
  readonly #refusals = { least: 0, most: 0, came: 0 };
  #negotiated = LAST_HANDSHAKE;
  #hasShakenHands = false;
  #isNewestSpoken = false;

  /** @param opensWith the revision of a proper handshake that comes first, if one does */
  constructor(private readonly opensWith: string | undefined) {}

  /** Notes a text that is sent. */
  sent(text: string): void {
    this.#expect(expectationOf(text), true);
  }

  /** Notes bytes that are no text. */
  sentGarbage(): void {
    this.#expect({ kind: 'refusal' }, true);
  }

  /** Notes a text that came from the server. @returns its messages, of a batch its members */
  received(text: string): Message[] {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.problems.push(`not JSON: ${text.slice(0, 200)}`);
      return [];
    }
    const messages = (Array.isArray(value) ? value : [value]) as Message[];
    for (const message of messages) this.#take(message);
    return messages;
  }

  /** What is still to come. */
  missing(): string[] {
    const ids = [...this.#accounts].filter(([key, { least, came }]) => came < least - (this.#cancelled.get(key) ?? 0));
    const missing = ids.map(
      ([key, { requests }]) => `no answer to id ${key} (${requests.map(({ method }) => method).join(', ')})`,
    );
    return this.#refusals.came < this.#refusals.least ? [...missing, 'no answer to what could not be read'] : missing;
  }

  #expect(expectation: Expectation, isCertain: boolean): void {
    const sure = isCertain ? 1 : 0;
    switch (expectation.kind) {
      case 'nothing':
        if (expectation.cancels !== undefined)
          this.#cancelled.set(expectation.cancels, (this.#cancelled.get(expectation.cancels) ?? 0) + 1);
        return;
      case 'refusal':
        this.#refusals.least += sure;
        this.#refusals.most += 1;
        return;
      case 'answer':
        return this.#expectAnswer(expectation.request, sure);
      case 'batch':
        return this.#expectBatch(expectation);
    }
  }

  #expectAnswer(request: ReadRequest, sure: number): void {
    const account = this.#accounts.get(request.key) ?? { least: 0, most: 0, came: 0, requests: [] };
    this.#accounts.set(request.key, account);
    account.least += request.isOpenEnded ? 0 : sure;
    account.most += 1;
    account.requests.push(request);
    this.#isNewestSpoken ||= revisionOf(request.claims, request.method, '').includes(NEWEST);
  }

  #expectBatch({ members, claims }: Expectation & { kind: 'batch' }): void {
    // The answers leave together: one that need not come holds back the others.
    const isWaiting = members.some((member) => member.kind === 'answer' && member.request.isOpenEnded);
    if (this.opensWith === '2025-03-26' && !claims)
      return members.forEach((member) => this.#expect(member, !isWaiting));
    const isRefused = this.opensWith !== undefined || claims;
    // Refused as a whole, or taken, where nobody can know which.
    this.#expect({ kind: 'refusal' }, isRefused);
    if (!isRefused) members.forEach((member) => this.#expect(member, false));
  }

  #take(message: Message): void {
    const { id } = message as { id?: unknown };
    if (typeof message !== 'object' || message === null)
      return void this.problems.push(`no message: ${JSON.stringify(message)}`);
    if ('method' in message) return this.#judge(message, this.#spoken(), []);
    if (id === undefined || id === null) {
      if (++this.#refusals.came > this.#refusals.most)
        this.problems.push(`an error nobody caused: ${JSON.stringify(message)}`);
      return this.#judge(message, this.#spoken(), []);
    }
    const account = this.#accounts.get(JSON.stringify(id));
    if (!account) return void this.problems.push(`an answer to nothing: ${JSON.stringify(message).slice(0, 300)}`);
    if (++account.came > account.most)
      this.problems.push(`one answer too many: ${JSON.stringify(message).slice(0, 300)}`);
    this.#noteHandshake(message, account);
    const revisions = account.requests.flatMap(({ claims, method }) => revisionOf(claims, method, this.#negotiated));
    this.#judge(
      message,
      [...new Set(revisions)],
      account.requests.map(({ method }) => method),
    );
  }

  #noteHandshake(message: Message, { requests }: Account): void {
    const { protocolVersion } = (message['result'] ?? {}) as { protocolVersion?: unknown };
    if (this.#hasShakenHands || typeof protocolVersion !== 'string') return;
    if (!requests.some(({ method }) => method === 'initialize')) return;
    this.#negotiated = protocolVersion;
    this.#hasShakenHands = true;
  }

  #spoken(): string[] {
    return this.#isNewestSpoken ? [this.#negotiated, NEWEST] : [this.#negotiated];
  }

  #judge(message: Message, revisions: string[], methods: (string | undefined)[]): void {
    const wrong = judgeSaid(message, { revisions, methods });
    if (wrong.length > 0) this.problems.push(`${wrong.join('; ')}: ${JSON.stringify(message).slice(0, 300)}`);
  }
}

/** What is wrong with a message of the server. */
export function judgeSaid(message: Message, { revisions, methods }: Judged): string[] {
  const verdicts = revisions.flatMap((revision) =>
    (methods.length > 0 ? methods : [undefined]).map((method) =>
      validateMessage(revision, message, {
        direction: 'server',
        // An answer to what the revision does not know is an error.
        ...('result' in message && method !== undefined && { method }),
      }),
    ),
  );
  return verdicts.some((verdict) => verdict.length === 0) ? [] : (verdicts[0] ?? []);
}

/** The revision of a response: that of its request where it named one, else that of the conversation. */
function revisionOf(claims: boolean, method: string | undefined, negotiated: string): string[] {
  if (claims || method === 'server/discover' || method === 'subscriptions/listen') return [NEWEST, negotiated];
  return [negotiated];
}
