/** What happens to the server, for pages that are open and those that are opened later. */
import { existsSync } from 'node:fs';
import type { Clock } from '@sigil-mcp/base';
import {
  LOOKING,
  ownFrames,
  placeOf,
  positionOfFrame,
  type DevListener,
  type JudgedEntries,
  type MaskedError,
  type RequestReport,
  type RequestWatcher,
  type SourceProblem,
  type WatchedChild,
} from '@sigil-mcp/cli/kit/dev';
import type { SendEvent } from './page-stream';
import type { ServedVersions, ListedChange } from './served-versions';

/** Errors of handlers that are kept. */
const MOST_ERRORS = 30;
/** Versions and failures that are kept. */
const MOST_MARKS = 100;

/** Whether there is a server, and what is wrong with the sources. */
export interface ServerState {
  readonly phase: 'building' | 'ready' | 'broken';
  /** The version that answers clients; undefined if none does. */
  readonly serving: number | undefined;
  readonly stage: 'compile' | 'start' | 'run' | undefined;
  readonly headline: string | undefined;
  readonly problems: readonly SourceProblem[];
}

/** A version that became ready, or a failure. */
export interface DevMark {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly version: number | undefined;
  readonly took: number | undefined;
  /** What failed; undefined for a version that is ready. */
  readonly failed: string | undefined;
  /** What it has changed in the lists; empty until that is known. */
  readonly changes: readonly ListedChange[];
}

/** An error that a handler has thrown. */
export interface HandlerError extends MaskedError {
  readonly at: number;
  readonly problem: SourceProblem;
}

/** Listens to the server and to its requests. */
export class DevState implements DevListener, RequestWatcher {
  #state: ServerState = {
    phase: 'building',
    serving: undefined,
    stage: undefined,
    headline: undefined,
    problems: [],
  };
  readonly #marks: DevMark[] = [];
  readonly #errors: HandlerError[] = [];
  readonly #pages = new Set<SendEvent>();
  #tells: ((line: string) => void)[] = [];
  readonly #onReady: (() => void)[] = [];
  #onJudged: (judged: JudgedEntries) => void = () => undefined;

  /** @param folder of the project @param hide removes what is sensitive from what a page receives */
  constructor(
    readonly folder: string,
    private readonly clock: Clock,
    private readonly versions: ServedVersions,
    private readonly hide: <T>(value: T) => T,
  ) {}

  /** Sends a page all that happened, and what happens from now on. @returns ends that */
  open(send: SendEvent): () => void {
    this.#pages.add(send);
    send('state', this.#state);
    for (const mark of this.#marks) send('mark', mark);
    for (const error of this.#errors) send('error', this.hide(error));
    this.#tell(LOOKING.yes);
    return () => {
      this.#pages.delete(send);
      if (this.#pages.size === 0) this.#tell(LOOKING.no);
    };
  }

  /** Sends an event to all pages. */
  readonly broadcast: SendEvent = (name, data) => {
    for (const send of this.#pages) send(name, data);
  };

  /** Calls back with each version. */
  whenReady(callback: () => void): void {
    this.#onReady.push(callback);
  }

  /** Calls back with what the server reports of its entries. */
  whenJudged(callback: (judged: JudgedEntries) => void): void {
    this.#onJudged = callback;
  }

  building(): void {
    this.#change({ ...this.#state, phase: 'building' });
  }

  ready(version: number, took: number): void {
    for (const callback of this.#onReady) callback();
    this.#mark({ at: this.clock.now(), version, took, failed: undefined, changes: [] });
    this.versions.serve();
    this.#change({ phase: 'ready', serving: version, stage: undefined, headline: undefined, problems: [] });
  }

  failed(...[stage, { headline, problems }, serving]: Parameters<DevListener['failed']>): void {
    this.#mark({ at: this.clock.now(), version: undefined, took: undefined, failed: headline, changes: [] });
    this.#change({ phase: 'broken', serving, stage, headline, problems });
  }

  attach(tell: (line: string) => void): WatchedChild {
    // Two servers run for a moment; those before have ended.
    this.#tells = [...this.#tells.slice(-1), tell];
    if (this.#pages.size > 0) tell(LOOKING.yes);
    return this.versions.attach(tell);
  }

  /** Takes what a server reports of its requests. */
  report({ times, masked, judged }: RequestReport): void {
    if (times) this.broadcast('times', this.hide(times));
    if (judged) this.#onJudged(judged);
    if (!masked) return;
    const error = { ...masked, at: this.clock.now(), problem: this.#problemOf(masked) };
    this.#errors.push(error);
    if (this.#errors.length > MOST_ERRORS) this.#errors.shift();
    if (this.#pages.size > 0) this.broadcast('error', this.hide(error));
  }

  /** The lists have changed: with the last version, or while it runs. */
  listsChanged(changes: readonly ListedChange[], isNew: boolean): void {
    const index = this.#marks.findLastIndex(({ failed }) => failed === undefined);
    const last = this.#marks[index];
    if (!isNew || !last)
      return this.#mark({ at: this.clock.now(), version: undefined, took: undefined, failed: undefined, changes });
    this.#marks[index] = { ...last, changes };
    this.broadcast('mark', this.#marks[index]);
  }

  /** Where in the sources of the project an error comes from. */
  #problemOf({ name, message, stack }: MaskedError): SourceProblem {
    const [first, ...others] = ownFrames(stack, this.folder);
    const position = first && existsSync(first.file) ? positionOfFrame(first) : undefined;
    return {
      message: `${name}: ${message}`,
      place: position && placeOf(position, this.folder),
      rest: others.map(({ text }) => text),
    };
  }

  #change(state: ServerState): void {
    this.#state = state;
    this.broadcast('state', state);
  }

  #mark(mark: DevMark): void {
    this.#marks.push(mark);
    if (this.#marks.length > MOST_MARKS) this.#marks.shift();
    this.broadcast('mark', mark);
  }

  #tell(line: string): void {
    for (const tell of this.#tells) tell(line);
  }
}
