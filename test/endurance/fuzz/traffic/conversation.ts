/** What one client does, as data: it can be made smaller when it fails, written to a file and played again. */
import fc from 'fast-check';
import type { Catalog } from './catalog';
import { mutate, mutation, type Mutation, httpFault, type HttpFault } from './mutations';
import { NEWEST, REVISIONS, openingOf, validMessage, type Revision } from './valid-messages';

/** One thing that a client sends. */
export interface Input {
  readonly text: string;
  /** Bytes of it that are replaced, where bytes travel. */
  readonly bytes?: readonly { readonly at: number; readonly value: number }[];
  /** What follows it in place of a line break, where lines travel. */
  readonly ending?: string;
  /** Milliseconds before it. */
  readonly pause?: number;
  /** What is odd about its HTTP request; nothing if left out. */
  readonly http?: HttpFault;
}

/** How a client answers what it is asked: with changes, or not before its end. */
export type Reply = readonly Mutation[] | 'late';

/** What one client does. */
export interface Conversation {
  readonly revision: Revision;
  /** Whether it begins as its revision wants it. */
  readonly isOpened: boolean;
  readonly inputs: readonly Input[];
  /** Taken in turn for the questions that the client is asked. */
  readonly replies: readonly Reply[];
}

/** Where a conversation takes place. */
export type Way = 'memory' | 'stdio' | 'http';

const spoiling = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat({ max: 400 }) }),
  fc.record({
    kind: fc.constant('put' as const),
    at: fc.nat({ max: 400 }),
    text: fc.constantFrom(',', '"', '{', '\0', '\\', '\u2028', 'é', '💥'),
  }),
  fc.record({
    kind: fc.constant('put' as const),
    at: fc.constant(0),
    text: fc.constantFrom('\ufeff', ' ', '\t', '\r', '//\r'),
  }),
  fc.record({
    kind: fc.constant('put' as const),
    at: fc.constant(1e6),
    text: fc.constantFrom(' ', '\r', '\0', '{}', 'x', '\u00a0'),
  }),
);

/** The text of a message, mostly changed: in its members, or as a text. */
function messageText(revision: Revision, catalog: Catalog): fc.Arbitrary<string> {
  const mutations = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 7, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
  );
  const written = fc
    .tuple(validMessage(revision, catalog), mutations)
    .map(([message, changes]) => mutate(message, changes));
  const spoiled = fc
    .tuple(written, spoiling)
    .map(([text, how]) =>
      how.kind === 'cut' ? text.slice(0, how.at) : text.slice(0, how.at) + how.text + text.slice(how.at),
    );
  const twice = fc.tuple(written, written).map(([one, other]) => one + other);
  return fc.oneof(
    { weight: 14, arbitrary: written },
    { weight: 2, arbitrary: spoiled },
    { weight: 1, arbitrary: twice },
  );
}

function input(revision: Revision, catalog: Catalog, way: Way): fc.Arbitrary<Input> {
  const byte = fc.record({ at: fc.nat({ max: 300 }), value: fc.constantFrom(0xff, 0xc3, 0x00, 0x80, 0xed, 0xf5) });
  const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight: number) =>
    fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
  return fc
    .record({
      text: messageText(revision, catalog),
      bytes: way === 'memory' ? fc.constant(undefined) : seldom(fc.array(byte, { minLength: 1, maxLength: 2 }), 20),
      ending: way === 'stdio' ? seldom(fc.constantFrom('\r\n', '', '\n\n', '\r\n\r\n'), 15) : fc.constant(undefined),
      pause: seldom(fc.constantFrom(1, 5, 20), 12),
      http: way === 'http' ? seldom(httpFault, 1) : fc.constant(undefined),
    })
    .map(
      (whole) =>
        Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as unknown as Input,
    );
}

/** Conversations of clients of any revision, with so many inputs. */
export function conversation(
  catalog: Catalog,
  way: Way,
  { least, most }: { least: number; most: number },
): fc.Arbitrary<Conversation> {
  const reply = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Reply>([]) },
    { weight: 3, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant<Reply>('late') },
  );
  return fc.constantFrom(...REVISIONS).chain((revision) =>
    fc.record({
      revision: fc.constant(revision),
      isOpened: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      inputs: fc.array(input(revision, catalog, way), { minLength: least, maxLength: most, size: 'max' }),
      replies: fc.array(reply, { minLength: 1, maxLength: 3 }),
    }),
  );
}

/** What a client sends before its first input. */
export function openingTexts({ revision, isOpened }: Conversation): string[] {
  if (!isOpened || revision === NEWEST) return [];
  return [openingOf(revision), { jsonrpc: '2.0', method: 'notifications/initialized' }].map((one) =>
    JSON.stringify(one),
  );
}
