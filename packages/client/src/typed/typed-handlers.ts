/** The handlers that a client must have for the questions of a server, from the types of its entries. */
import type { MaybePromise } from '@sigil-mcp/base';
import type { ElicitFormParams } from '@sigil-mcp/protocol';
import type { QuestionContext, QuestionHandlers } from '../client/question-handlers';
import type { EntryTypes, ServerApi } from './server-api';

/** An answer to a form whose data has this type. */
export type FormAnswer<F> =
  | { readonly action: 'accept'; /** Fields with a default may be left out. */ readonly content: F }
  | { readonly action: 'decline' | 'cancel' };

/** The handlers of a client of this server: those for the questions that its entries declare are required. */
export type HandlersFor<A extends ServerApi> = Omit<QuestionHandlers, Demanded<ApiQuestions<A>>> & {
  readonly [H in Demanded<ApiQuestions<A>>]-?: H extends 'onElicit'
    ? (form: ElicitFormParams, context: QuestionContext) => MaybePromise<FormAnswer<FormsIn<ApiQuestions<A>>>>
    : NonNullable<QuestionHandlers[H]>;
};

/** The declared questions of all entries. */
type ApiQuestions<A extends ServerApi> = { readonly [K in keyof ServerApi]: AskedByAll<A[K]> }[keyof ServerApi];

type AskedByAll<Entries> = {
  [N in keyof Entries]: Entries[N] extends EntryTypes
    ? unknown extends Entries[N]['asks']
      ? never
      : Entries[N]['asks']
    : never;
}[keyof Entries];

/** A question that is no form. */
interface OtherQuestion {
  readonly '~question': string;
}

type FormsIn<Q> = Q extends OtherQuestion ? never : Q;

type Demanded<Q> =
  | ([FormsIn<Q>] extends [never] ? never : 'onElicit')
  | (Extract<Q, { readonly '~question': 'sampling' }> extends never ? never : 'onSample')
  | (Extract<Q, { readonly '~question': 'roots' }> extends never ? never : 'onRoots')
  | (Extract<Q, { readonly '~question': 'url' }> extends never ? never : 'onElicitUrl');
