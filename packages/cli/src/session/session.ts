/** The connection of a command: opened before its work, closed after it, with one sentence for every failure. */
import { setTimeout as delay } from 'node:timers/promises';
import { CliFailure, failure, noServer, protocolError, wrongUsage } from '../failure';
import { Answerer, SamplingRefused } from '../questions/answerer';
import { CommandCredentials } from '../sign-in/credentials';
import { QuestionError, RpcError, type Client, type RequestOptions, type Traffic } from '@sigil-mcp/client';
import { parseMessage, ProtocolError } from '@sigil-mcp/protocol';
import { SigilError, visibleLine } from '@sigil-mcp/base';
import { StatusLine } from '../terminal/status-line';
import { describeCause } from '../causes/describe-cause';
import type { DeclaredEntry } from '../declared/declared-entries';
import { ownFrames, positionOfFrame } from '../causes/own-frames';
import { showPosition } from '../project/show-position';
import { folderOf } from '../project/find-project';
import { ServerLog } from './server-log';
import type { ChildPipe } from './child-pipe';
import { connect, type SessionConnectOptions } from './connect';
import type { AskFields } from '../questions/missing-arguments';
import { interrupted, interruptible, type Interruption } from '../terminal/interruption';
import { labelOf, type ServerTarget } from '../targets/target';
import type { Shell } from '../terminal/shell';

/** The deadline for connecting if none is given, seconds. */
const CONNECTING = 30;
/** Levels of objects and arrays in each other. */
const DEEPEST = 1000;
const DEEP = 'it is nested too deeply to be read.';
/** Milliseconds for the cancellation of a call to reach the server. */
const FAREWELL = 150;

/** The options of every command that connects. */
export interface CommandSessionOptions {
  readonly shell: Shell;
  /** The deadline in seconds; without it, connecting has its own deadline and a call has none. */
  readonly timeout?: number;
  readonly header?: Readonly<Record<string, string>>;
  /** The credentials, if any. All connections of a command share them, so that the user signs in once. */
  readonly credentials?: CommandCredentials;
  readonly answer?: Readonly<Record<string, readonly string[]>>;
  readonly verbose: boolean;
  /** The only revision to try, with the handshake; if left out, the newest that client and server have in common. */
  readonly handshake?: string;
  /** Receives what the server declares about its entries, if the target reports it, once the connection is closed. */
  readonly onEntries?: (entries: readonly DeclaredEntry[]) => void;
  /** Cancels the work, because its result is not needed any more. */
  readonly cancel?: AbortSignal;
}

/** A connected server, and the options of its requests. */
export interface CommandSession {
  readonly shell: Shell;
  readonly client: Client;
  readonly target: ServerTarget;
  /** The failure to report if an error means that the server is gone, or refused the message; undefined for any other error. */
  explainLoss(error: unknown): CliFailure | undefined;
  /** Ends the command early; what it has begun at the server is set here. */
  readonly interruption: Interruption;
  /** The options of every request: its deadline, and the signal of Ctrl-C. */
  readonly request: RequestOptions;
  /** The line where progress and messages of the server are shown. */
  readonly status: StatusLine;
  /** The log of a server that this command started and whose stderr is not shown; undefined for every other server. */
  readonly hiddenLog: ServerLog | undefined;
  /** Asks the user for arguments; undefined without a terminal. */
  readonly ask: AskFields | undefined;
  /** Whether a token may show more: the server has a URL, and no token was sent. */
  readonly maySignIn: boolean;
}

/** Finds the target, which may have to be compiled. */
export type TargetReader = (signal: AbortSignal) => ServerTarget | Promise<ServerTarget>;

/**
 * Connects, runs the work, and closes the connection.
 * @throws CliFailure with an exit status for the kind of failure
 */
export function withServer<Result>(
  readTarget: TargetReader,
  options: CommandSessionOptions,
  work: (session: CommandSession) => Promise<Result>,
): Promise<Result> {
  const { shell, credentials = new CommandCredentials({}, options.shell.env) } = options;
  return interruptible(shell, async (interruption) => {
    options.cancel?.addEventListener('abort', () => interruption.interrupt(interrupted()), { once: true });
    const status = new StatusLine(shell);
    const target = await status.whileWaiting('Compiling', () => readTarget(interruption.signal));
    const answerer = new Answerer({ shell, answers: options.answer ?? {}, status, interruption });
    if (target.kind === 'command' && credentials.isTyped)
      throw wrongUsage('SIGIL_CLI_TOKEN_UNUSED', { target: labelOf(target) });
    const log = new ServerLog();
    const connection = await status.whileWaiting(`Waiting for ${labelOf(target)} to answer`, () =>
      connect(target, connectOptions(options, { answerer, credentials, status, interruption, log })),
    );
    const { client } = connection;
    const session: CommandSession = {
      ...connection,
      ...{ ...factsOf(target, credentials), shell, status, interruption, ask: answerer.ask },
      hiddenLog: target.kind === 'command' && !options.verbose ? log : undefined,
      request: { signal: interruption.signal, timeout: longestOf(options) },
    };
    client.on('notifications/message', (message) => status.log(message));
    try {
      const working = (): Promise<Result> => Promise.race([work(session), failing(interruption)]);
      return await status.whileWaiting('Waiting for the result', working);
    } catch (error) {
      throw await explain(error, session);
    } finally {
      status.clear();
      answerer.warnOfUnused();
      await client.close().catch(() => undefined);
      if (connection.child?.entries) options.onEntries?.(connection.child.entries);
      if (connection.child) warnOfRubbish(connection.child, session);
    }
  });
}

function factsOf(target: ServerTarget, { token }: CommandCredentials): Pick<CommandSession, 'target' | 'maySignIn'> {
  return { target, maySignIn: target.kind === 'url' && token === undefined };
}

/** The parts of a command that a connection reports to. */
interface Reporting extends Pick<SessionConnectOptions, 'credentials' | 'interruption'> {
  readonly answerer: Answerer;
  readonly status: StatusLine;
  readonly log: ServerLog;
}

function connectOptions(
  options: CommandSessionOptions,
  { answerer, credentials, status, interruption, log }: Reporting,
): SessionConnectOptions {
  return {
    styles: status.styles,
    clock: options.shell.clock,
    timeout: options.timeout ?? CONNECTING,
    longest: longestOf(options),
    headers: options.header ?? {},
    credentials,
    visit: answerer.visit,
    handshake: options.handshake,
    onStderr: (line) => {
      log.add(line);
      if (options.verbose) status.print(status.styles.dim(visibleLine(line)));
    },
    handlers: answerer.handlers,
    // An answer is read level by level, by us and by what prints it.
    onTraffic: ({ from, text }: Traffic) => {
      if (from === 'server' && isDeep(text))
        interruption.interrupt(protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: DEEP }));
    },
    interruption,
  };
}

/**
 * What the hidden log of the server says about an answer: the error that the server masked, with its position in the sources, or else how
 * to see the log. @returns undefined if the answer does not mention the log, or the log is not hidden
 */
export async function explainMasked(
  { shell, hiddenLog, target }: CommandSession,
  text: string,
): Promise<string | undefined> {
  if (!hiddenLog || !/\bserver(?:'s)? logs?\b/i.test(text)) return undefined;
  const error = await hiddenLog.find(text);
  if (!error) return 'Repeat this with --verbose to see its log.';
  return describeCause(error, { folder: folderOfTarget(target, shell), styles: shell.errorStyles }).text;
}

function isDeep(text: string): boolean {
  const message = parseMessage(text, { nesting: DEEPEST });
  return message.kind === 'invalid' && message.limit === 'limits.nesting';
}

/** Milliseconds for a request. */
function longestOf({ timeout = Infinity }: CommandSessionOptions): number {
  return timeout * 1000;
}

/** Rejects if the command is interrupted, so that no answer can arrive. */
function failing({ signal }: Interruption): Promise<never> {
  return new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Explains a failure. What the command has begun and could not end is mentioned before it. */
async function explain(error: unknown, session: CommandSession): Promise<unknown> {
  const explained = await explainError(error, session);
  const { ending } = session.interruption;
  if (ending) session.status.print(ending.words);
  return explained;
}

async function explainError(error: unknown, session: CommandSession): Promise<unknown> {
  const { signal } = session.request;
  if (signal?.aborted) {
    const { ending } = session.interruption;
    await (ending ? ending.work().catch(() => undefined) : delay(FAREWELL));
    return signal.reason;
  }
  if (error instanceof CliFailure) return error;
  if (error instanceof SamplingRefused) return failure('SIGIL_CLI_SAMPLING');
  if (error instanceof QuestionError)
    return protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: `The question ${error.method} cannot be read.` });
  const lost = session.explainLoss(error);
  if (lost) return lost;
  if (error instanceof RpcError) {
    const { message: reason, code } = error;
    const answered = protocolError('SIGIL_CLI_ANSWER_ERROR', { reason, code });
    const masked = await explainMasked(session, reason);
    if (masked !== undefined) answered.headline = masked;
    return answered;
  }
  if (!(error instanceof SigilError)) return error;
  if (error.code === 'SIGIL_CLIENT_TIMEOUT') return noServer('SIGIL_CLI_ANSWER_LATE');
  const { cause } = error;
  const reason = cause instanceof ProtocolError ? `${cause.message}.` : error.message;
  return protocolError('SIGIL_CLI_ANSWER_INVALID', { reason });
}

function warnOfRubbish({ rubbish, stray }: ChildPipe, { shell, target, status }: CommandSession): void {
  const [first] = rubbish;
  if (first === undefined) return;
  const { styles } = status;
  const note = styles.warn(
    `The server printed "${visibleLine(first).slice(0, 60)}" on stdout, which belongs to the protocol.`,
  );
  const folder = folderOfTarget(target, shell);
  const [frame] = ownFrames(stray?.stack ?? '', folder);
  const position = frame && positionOfFrame(frame);
  const fix = "Use console.error or context.log, or begin the program with import '@sigil-mcp/core/stdio/guard'.";
  status.print(`${position ? showPosition(position, note, { folder, styles }) : note}\n${fix}`);
}

function folderOfTarget(target: ServerTarget, { cwd }: Shell): string {
  return folderOf(target.kind === 'command' ? target.file : undefined, cwd);
}
