/** `recordCalls()`: an observer that records calls, so that a later version of the server can be tried with them. */
import {
  redact,
  type Call,
  type EntryFacts,
  type ObservedRequest,
  type ObservedServer,
  type Observer,
  type RequestObserver,
  type RequestOutcome,
  type Logger,
} from '@sigil-mcp/core';
import { OPTION_RULES, isObject, requireOptions, type OptionRule } from '@sigil-mcp/base';
import { SharedLife } from '@sigil-mcp/core/adapter';
import {
  partOf,
  RECORDED_METHODS,
  type RecordedCall,
  type RecordedMethod,
  type RecordedOutcome,
} from './recorded-call';
import { createWriteStream, fchmodSync, fstatSync, statSync, type WriteStream } from 'node:fs';

/** Bytes that may wait to be written; calls beyond that are not recorded. */
const MOST_WAITING = 8 * 1024 * 1024;

/** The permissions of all but the user of the file. */
const OTHERS = 0o077;

/** Appends lines to a file. */
export class CallFile {
  #stream: WriteStream | undefined;
  #size: number;

  /**
   * @param path of the file, whose folder exists; what it has stays
   * @param limit bytes of the file
   * @throws Error of Node if the file cannot be opened for writing
   */
  constructor(
    path: string,
    private readonly limit: number,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.#size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
    stream.on('open', (file) => {
      if (!makePrivate(file))
        logger.warn({ path }, `Recorded calls can be read by others: the permissions of ${path} cannot be changed`);
    });
    stream.on('error', (err) => {
      this.#stream = undefined;
      logger.warn({ err }, `Calls are no longer recorded: ${path} cannot be written`);
    });
    this.#stream = stream;
  }

  /** @returns whether the line will be written */
  add(line: string): boolean {
    const stream = this.#stream;
    const bytes = Buffer.byteLength(line) + 1;
    if (!stream || this.#size + bytes > this.limit || stream.writableLength + bytes > MOST_WAITING) return false;
    this.#size += bytes;
    stream.write(`${line}\n`);
    return true;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (!stream || stream.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      stream.once('error', () => resolve());
      stream.end(() => resolve());
    });
  }
}

/** What is recorded, and where. */
export interface RecordCallsOptions {
  /** The path of a file, which is appended to, or a function that takes each call. */
  readonly to: string | ((call: RecordedCall) => void);
  /** The share of calls that are recorded, from 0 to 1; 1 if left out. */
  readonly share?: number;
  /** Whether results are recorded; true if left out. Without them, a replay says only which calls fail. */
  readonly results?: boolean;
  /** Bytes of the file; 64 MiB if left out. Calls beyond that are not recorded. */
  readonly maxBytes?: number;
}

const RECORDING_OPTIONS: Readonly<Record<keyof RecordCallsOptions, OptionRule>> = {
  to: {
    wanted: 'the path of a file, or a function',
    fits: (value) => typeof value === 'function' || OPTION_RULES.text.fits(value),
  },
  share: { wanted: 'a number from 0 to 1', fits: (value) => typeof value === 'number' && value >= 0 && value <= 1 },
  results: OPTION_RULES.flag,
  maxBytes: {
    wanted: 'a number of bytes, at least 1',
    fits: (value) => typeof value === 'number' && value >= 1,
  },
};

/** Bytes of the file, if they are left out. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Characters of the longest result that is recorded, as JSON. */
const LONGEST_RESULT = 64 * 1024;
/** The same for arguments: a call with longer ones is not recorded. */
const LONGEST_PARAMS = 64 * 1024;

/**
 * Records the calls of tools, resources and prompts, for `sigil replay`. Values that are `@Sensitive()` are never recorded, nor are calls of
 * names that do not exist.
 * @throws DefinitionError for options that do not exist or are of the wrong kind
 * @example createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature], observers: [recordCalls({ to: 'calls.jsonl', share: 0.01 })] });
 */
export function recordCalls(options: RecordCallsOptions): Observer {
  // JavaScript may leave out what has to be there.
  requireOptions('recordCalls', Object.assign({ to: null }, options), RECORDING_OPTIONS);
  const { to, share = 1, results = true, maxBytes = MAX_BYTES } = options;
  const life = new SharedLife();
  let file: CallFile | undefined;
  const take = typeof to === 'function' ? to : (call: RecordedCall) => void file?.add(JSON.stringify(call));
  return {
    name: 'recorded-calls',
    onStart: ({ logger }: ObservedServer) =>
      life.enter(() => void (file = typeof to === 'string' ? new CallFile(to, maxBytes, logger) : undefined)),
    onStop: () =>
      life.leave(() => {
        const closing = file;
        file = undefined;
        return closing?.close();
      }),
    requestStarted(request) {
      if (!isRecorded(request) || Math.random() >= share) return undefined;
      return new CallRecording(request, results, take);
    },
  };
}

function isRecorded({ method, isBackground }: ObservedRequest): boolean {
  return !isBackground && RECORDED_METHODS.some((each) => each === method);
}

/** Records one call. */
class CallRecording implements RequestObserver {
  private entry: EntryFacts | undefined;
  private params: Pick<RecordedCall, 'params' | 'isRedacted'> | undefined;
  private hasAsked = false;

  constructor(
    private readonly request: ObservedRequest,
    private readonly results: boolean,
    private readonly take: (call: RecordedCall) => void,
  ) {}

  opened({ entry, round }: Call): void {
    this.entry = entry;
    this.hasAsked = round > 1;
    // Now, because a handler may change what it is given.
    this.params = entry && paramsOf(this.request, entry);
  }

  asked(): void {
    this.hasAsked = true;
  }

  ended(outcome: RequestOutcome, duration: number): void {
    const { entry, params, request, hasAsked } = this;
    // A call that goes on after a question is recorded once, at its end.
    if (!entry || !params || outcome.kind === 'question') return;
    const { kind, scopes, roles } = request.caller;
    this.take({
      v: 1,
      time: new Date().toISOString(),
      revision: request.revision,
      // Only these are observed.
      method: request.method as RecordedMethod,
      entry: entry.key,
      ...params,
      ...(hasAsked && { hasAsked }),
      outcome: kindOf(outcome),
      ...(outcome.kind === 'error' && { code: outcome.code }),
      ...(this.results && resultOf(outcome, entry)),
      caller: { kind, scopes, roles },
      duration: Math.round(duration * 1000) / 1000,
    });
  }
}

/** What the client sent, without what is sensitive; undefined if it is too long. */
function paramsOf(
  { params = {} }: ObservedRequest,
  { kind, shapes: { input } }: EntryFacts,
): Pick<RecordedCall, 'params' | 'isRedacted'> | undefined {
  const isSensitive = (input?.sensitive?.length ?? 0) > 0;
  const { name, uri, arguments: given } = params;
  if (kind === 'resource' || kind === 'resource-template') {
    // The variables of a template are in its URI.
    if (isSensitive) return { params: {}, isRedacted: true };
    return isShort(uri, LONGEST_PARAMS) ? { params: { uri } } : undefined;
  }
  if (!isShort(given, LONGEST_PARAMS)) return undefined;
  if (!isSensitive || !input || given === undefined)
    return { params: { name, ...(given !== undefined && { arguments: given }) } };
  const shown = redact(given, input);
  const isRedacted = JSON.stringify(shown) !== JSON.stringify(given);
  return { params: { name, arguments: shown }, ...(isRedacted && { isRedacted }) };
}

function kindOf(outcome: RequestOutcome): RecordedOutcome {
  if (outcome.kind === 'error') return 'error';
  if (outcome.kind !== 'result' || partOf(outcome.result) === undefined) return 'other';
  return outcome.isError ? 'failed' : 'result';
}

/** What the client received, without what is sensitive. */
function resultOf(outcome: RequestOutcome, { shapes: { input, output } }: EntryFacts): { readonly result?: unknown } {
  if (outcome.kind !== 'result' || outcome.isError) return {};
  // Nobody has said what of sensitive arguments, or of a URI with them, it repeats.
  if (!output && (input?.sensitive ?? []).length > 0) return {};
  const part = partOf(outcome.result);
  const isStructured = isObject(outcome.result) && outcome.result['structuredContent'] !== undefined;
  const result = output && isStructured ? redact(part, output) : part;
  const text = result === undefined ? '' : JSON.stringify(result);
  // A copy, because what the handler returned is its own.
  return text !== '' && text.length <= LONGEST_RESULT ? { result: JSON.parse(text) as unknown } : {};
}

function isShort(value: unknown, most: number): boolean {
  return value === undefined || JSON.stringify(value).length <= most;
}

/** A file that others could read before has the arguments of callers now. @returns whether it is for its user alone */
function makePrivate(file: number): boolean {
  try {
    const found = fstatSync(file);
    if (found.isFile() && (found.mode & OTHERS) !== 0) fchmodSync(file, found.mode & ~OTHERS);
    return true;
  } catch {
    return false;
  }
}
