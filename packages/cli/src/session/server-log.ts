/**
 * The log of a server that this command started. A server masks unexpected errors: its answer has an id, and its log has the error under
 * this id.
 */
import { isObject, systemClock, type Clock } from '@sigil-mcp/base';
import type { Crash } from '../causes/crash-report';

/** The id in a masked answer. */
const MASKED = /\(id ([0-9a-f]{8}(?:-[0-9a-f]+){4})\)/;
/** The number of entries that are stored. */
const STORED = 100;
/** Milliseconds to wait for an entry: the log and the answer travel through different pipes. */
const WAIT = 500;

/** The logged errors, by their ids. */
export class ServerLog {
  readonly #errors = new Map<string, Crash>();
  readonly #waiting = new Map<string, (error: Crash) => void>();

  constructor(private readonly clock: Clock = systemClock) {}

  /** Takes a line of stderr. */
  add(line: string): void {
    const read = readEntry(line);
    if (!read) return;
    const [id, error] = read;
    this.#errors.set(id, error);
    const [oldest] = this.#errors.keys();
    if (this.#errors.size > STORED && oldest !== undefined) this.#errors.delete(oldest);
    this.#waiting.get(id)?.(error);
  }

  /** The error behind the text of an answer; undefined if the text has no id, or the log no such error. */
  async find(text: string): Promise<Crash | undefined> {
    const id = MASKED.exec(text)?.[1];
    if (id === undefined) return undefined;
    return this.#errors.get(id) ?? this.#waitFor(id);
  }

  #waitFor(id: string): Promise<Crash | undefined> {
    return new Promise((resolve) => {
      const timer = this.clock.after(WAIT, () => resolve(undefined));
      this.#waiting.set(id, (error) => {
        timer.close();
        resolve(error);
      });
    });
  }
}

/** An entry with the id of a masked error: JSON, as the default logger writes it where no person reads it. */
function readEntry(line: string): readonly [string, Crash] | undefined {
  if (!line.startsWith('{') || !line.includes('"errorId"')) return undefined;
  try {
    const entry: unknown = JSON.parse(line);
    if (!isObject(entry) || typeof entry['errorId'] !== 'string' || !isObject(entry['err'])) return undefined;
    const causes = causesOf(entry['err']);
    const { name, message, stack } = wordsOf(entry['err']);
    const described = causes.map((cause) => `${cause.name}: ${cause.message}`);
    const causeStacks = causes.map((cause) => cause.stack);
    return [entry['errorId'], { name, message, stack, problems: [], causes: described, causeStacks }];
  } catch {
    return undefined;
  }
}

function causesOf(error: Readonly<Record<string, unknown>>) {
  const causes: ReturnType<typeof wordsOf>[] = [];
  for (let next = error['cause']; isObject(next) && causes.length < 3; next = next['cause']) causes.push(wordsOf(next));
  return causes;
}

function wordsOf({ name, message, stack }: Readonly<Record<string, unknown>>) {
  const text = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);
  return { name: text(name, 'Error'), message: text(message, ''), stack: text(stack, '') };
}
