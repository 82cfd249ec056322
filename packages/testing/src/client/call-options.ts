/** The options of one call. */
import { OPTION_RULES, requireOptions, withOthers, type OptionRule } from '@sigil-mcp/core/internal';
import type { JsonObject, LogLevel } from '@sigil-mcp/protocol';
import { saidMessages, type TrafficLog } from './notifications';

/** A report on how far a call has come. */
export interface Progress extends JsonObject {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The options of one call: the last argument of `callTool`. */
export interface CallOptions {
  /** The token under which progress is reported; generated if left out and `onProgress` is set. */
  readonly progressToken?: string | number;
  /** Receives each progress report, in order, before the result; no progress is requested if left out. */
  readonly onProgress?: (progress: Progress) => void;
  /** The log level for this call; if the level belongs to the connection, it stays. The level of `setLogLevel` if left out. */
  readonly logLevel?: LogLevel;
}

const CALL_MEMBERS: Readonly<Record<keyof CallOptions, OptionRule | undefined>> = {
  progressToken: undefined,
  onProgress: OPTION_RULES.function,
  logLevel: OPTION_RULES.text,
};
const CALL_OPTIONS = withOthers(CALL_MEMBERS);

/** Reports the progress of a call that is about to be sent. */
export function listenForProgress(log: TrafficLog, options: CallOptions): { readonly meta: JsonObject; end(): void } {
  requireOptions('callTool', options, CALL_OPTIONS);
  const { onProgress, progressToken = onProgress && log.nextProgressToken() } = options;
  const meta = progressToken === undefined ? {} : { progressToken };
  if (!onProgress) return { meta, end: () => undefined };
  let seen = log.entries.length;
  const look = (): void => {
    const news = log.entries.slice(seen);
    seen += news.length;
    for (const { params } of saidMessages(news, 'notifications/progress'))
      // Progress notifications carry these members.
      if (params?.['progressToken'] === progressToken) onProgress(params as Progress);
  };
  return { meta, end: log.watch(look) };
}

// The questions of a server, and the answers of a test.

/** A question of a server, as a request or in an `input_required` result. */
export interface Question {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: JsonObject;
  /** The name of the question within the call, if the revision has such names. */
  readonly key: string | undefined;
}

/**
 * The result of a question. Throwing an `RpcError` refuses it; on a revision in which a client cannot refuse, the call fails
 * with that error.
 */
export type AnswerQuestion = (question: Question) => JsonObject | Promise<JsonObject>;
