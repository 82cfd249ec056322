/** Whether what a server says is JSON-RPC, and in the words of a revision that is spoken. */
import { validateMessage } from '../../../support/supplies/judge-message';
import type { Message } from '../../../support/transcript';
import { NEWEST } from '../traffic/valid-messages';

/** What a message that is no response may be judged by, and what one is known to answer. */
export interface Judged {
  /** Whatever is spoken on the connection; the message has to fit one of them. */
  readonly revisions: readonly string[];
  /** The methods of the requests that a response may belong to; empty where they are not known. */
  readonly methods: readonly (string | undefined)[];
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
export function revisionOf(claims: boolean, method: string | undefined, negotiated: string): string[] {
  if (claims || method === 'server/discover' || method === 'subscriptions/listen') return [NEWEST, negotiated];
  return [negotiated];
}
