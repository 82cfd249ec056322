/** The connection of a command: opened before its work, closed after it, with one sentence for every failure. */
import { setTimeout as delay } from 'node:timers/promises';
import { CliFailure, failure, noServer, protocolError, wrongUsage } from '../failure';
import { Answerer, SamplingRefused } from '../questions/answerer';
import { CommandCredentials } from '../sign-in/credentials';
import { LONGEST_TIMER } from '@sigil-mcp/base';
import type { AnswerQuestion } from '@sigil-mcp/client/wire';
import { visibleLine } from '@sigil-mcp/core/adapter';
import { StatusLine } from '../terminal/status-line';
import { describeCause } from '../causes/describe-cause';
import type { DeclaredEntry } from '../declared/declared-entries';
import { ownFrames, positionOfFrame } from '../causes/own-frames';
import { showPosition } from '../project/show-position';
import { folderOf } from '../project/find-project';
import { ServerLog } from './server-log';
import type { HttpRefusal } from './http-refusal';
import { connect, type OfficialConnectOptions, type ConnectedClient } from './connect';
import type { AskFields } from '../questions/missing-arguments';
import { interrupted, interruptible, type Interruption } from '../terminal/interruption';
import type { Client, OfficialClient, RequestOptions } from '../official-client';
import { labelOf, type ServerTarget } from '../targets/target';
import type { Shell } from '../terminal/shell';

/** The deadline for connecting if none is given, seconds. */
const CONNECTING = 30;
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
  readonly official: OfficialClient;
  readonly target: ServerTarget;
  /** Whether an error means that the server is gone. */
  isLost(error: unknown): boolean;
  /** The last refusal of a message over HTTP; undefined if every message was taken. */
  findRefusal(): HttpRefusal | undefined;
  /** Ends the command early; what it has begun at the server is set here. */
  readonly interruption: Interruption;
  /** Answers a question of a task, as those of calls. */
  readonly answer: AnswerQuestion;
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
    const session: CommandSession = {
      ...connection,
      ...factsOf(target, credentials),
      ...answersOf(answerer, connection),
      ...{ shell, status, interruption },
      hiddenLog: target.kind === 'command' && !options.verbose ? log : undefined,
      request: requestOptions(options, interruption),
    };
    try {
      const working = (): Promise<Result> => Promise.race([work(session), failing(connection, interruption)]);
      return await status.whileWaiting('Waiting for the result', working);
    } catch (error) {
      throw await explain(error, connection, session);
    } finally {
      status.clear();
      answerer.warnOfUnused();
      await connection.close().catch(() => undefined);
      const entries = connection.findEntries();
      if (entries) options.onEntries?.(entries);
      warnOfRubbish(connection, session);
    }
  });
}

function factsOf(target: ServerTarget, { token }: CommandCredentials): Pick<CommandSession, 'target' | 'maySignIn'> {
  return { target, maySignIn: target.kind === 'url' && token === undefined };
}

function answersOf(answerer: Answerer, { official }: ConnectedClient): Pick<CommandSession, 'ask' | 'answer'> {
  return { ask: answerer.ask, answer: (question) => answerer.answer(question, official) };
}

/** The parts of a command that a connection reports to. */
interface Reporting extends Pick<OfficialConnectOptions, 'credentials' | 'interruption'> {
  readonly answerer: Answerer;
  readonly status: StatusLine;
  readonly log: ServerLog;
}

function connectOptions(
  options: CommandSessionOptions,
  { answerer, credentials, status, interruption, log }: Reporting,
): OfficialConnectOptions {
  return {
    styles: status.styles,
    timeout: options.timeout ?? CONNECTING,
    headers: options.header ?? {},
    credentials,
    visit: answerer.visit,
    handshake: options.handshake,
    onStderr: (line) => {
      log.add(line);
      if (options.verbose) status.print(status.styles.dim(visibleLine(line)));
    },
    prepare: (client) => {
      answerer.prepare(client);
      client.setNotificationHandler('notifications/message', ({ params }) => status.log(params));
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

function requestOptions({ timeout }: CommandSessionOptions, { signal }: Interruption): RequestOptions {
  return { signal, timeout: timeout === undefined ? LONGEST_TIMER : timeout * 1000 };
}

/** Rejects if the server is lost or the command is interrupted, so that no answer can arrive. */
async function failing(connection: ConnectedClient, { signal }: Interruption): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([aborted, connection.lost.then(() => Promise.reject(connection.explainLoss()))]);
}

/** Explains a failure. What the command has begun and could not end is mentioned before it. */
async function explain(error: unknown, connection: ConnectedClient, session: CommandSession): Promise<unknown> {
  const explained = await explainError(error, connection, session);
  const { ending } = session.interruption;
  if (ending) session.status.print(ending.words);
  return explained;
}

async function explainError(error: unknown, connection: ConnectedClient, session: CommandSession): Promise<unknown> {
  const { signal } = session.request;
  if (signal?.aborted) {
    const { ending } = session.interruption;
    await (ending ? ending.work().catch(() => undefined) : delay(FAREWELL));
    return signal.reason;
  }
  const { ProtocolError, SdkError, SdkErrorCode } = connection.official;
  if (error instanceof CliFailure) return error;
  if (error instanceof SamplingRefused) return failure('SIGIL_CLI_SAMPLING');
  if (error instanceof ProtocolError) {
    const { message: reason, code } = error;
    const answered = protocolError('SIGIL_CLI_ANSWER_ERROR', { reason, code });
    const masked = await explainMasked(session, reason);
    if (masked !== undefined) answered.headline = masked;
    return answered;
  }
  if (connection.isLost(error)) return connection.explainLoss();
  // An answer is read level by level, by the client and by us.
  if (error instanceof RangeError && error.message.includes('call stack'))
    return protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: 'it is nested too deeply to be read.' });
  if (!(error instanceof SdkError)) return error;
  if (error.code === SdkErrorCode.RequestTimeout) {
    return noServer('SIGIL_CLI_ANSWER_LATE');
  }
  return protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: error.message });
}

function warnOfRubbish({ rubbish, findStray }: ConnectedClient, { shell, target, status }: CommandSession): void {
  const [first] = rubbish;
  if (first === undefined) return;
  const { styles } = status;
  const note = styles.warn(
    `The server printed "${visibleLine(first).slice(0, 60)}" on stdout, which belongs to the protocol.`,
  );
  const folder = folderOfTarget(target, shell);
  const [frame] = ownFrames(findStray()?.stack ?? '', folder);
  const position = frame && positionOfFrame(frame);
  const fix = "Use console.error or context.log, or begin the program with import '@sigil-mcp/core/stdio/guard'.";
  status.print(`${position ? showPosition(position, note, { folder, styles }) : note}\n${fix}`);
}

function folderOfTarget(target: ServerTarget, { cwd }: Shell): string {
  return folderOf(target.kind === 'command' ? target.file : undefined, cwd);
}
