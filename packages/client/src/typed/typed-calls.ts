/** The entries of a server as functions, with the types of their arguments and results. */
import type { EntryTypes, ServerApi } from './server-api';

/** The options and the results of a client's own methods. */
export interface CallTypes {
  readonly toolOptions: object;
  readonly toolResult: object;
  readonly options: object;
  readonly promptResult: object;
  readonly resourceResult: object;
}

/** The result of a tool: its data, or what went wrong, as the server says it. */
export type TypedAnswer<D, R> = {
  /** The texts of its content, joined with line breaks. */
  readonly text: string;
  /** The result as it was received. */
  readonly result: R;
} & (
  | { readonly isError: false; /** Its structured data. */ readonly data: D }
  | { readonly isError: true; readonly data: undefined }
);

/** The contents of a resource. */
export interface ResourceAnswer<D, R> {
  /** The URI that was read. */
  readonly uri: string;
  /** The texts of its contents, joined with line breaks; empty for bytes. */
  readonly text: string;
  /** Its JSON; undefined for contents of other types. */
  readonly data: D;
  /** The result as it was received. */
  readonly result: R;
}

/** A function that may be called without arguments if none of them is required. */
type Calling<A, O, R> =
  Record<string, never> extends A ? (args?: A, options?: O) => Promise<R> : (args: A, options?: O) => Promise<R>;

/** The entries of a server, each as a function. */
export interface TypedCalls<A extends ServerApi, C extends CallTypes> {
  /**
   * Its tools, by name. An error of a tool is an answer with `isError`; an error of the protocol is thrown, such as the one for a name that the
   * server does not have.
   * @example
   * const answer = await client.tools.forecast({ city: 'Oslo' });
   * if (!answer.isError) show(answer.data.degrees);
   */
  readonly tools: {
    readonly [N in keyof A['tools']]: Calling<
      TypesOf<A['tools'][N]>['arguments'],
      C['toolOptions'],
      TypedAnswer<TypesOf<A['tools'][N]>['data'], C['toolResult']>
    >;
  };
  /**
   * Its prompts, by name. Numbers, booleans and other values are sent as texts.
   * @example const { messages } = await client.prompts.planDay({ city: 'Oslo' });
   */
  readonly prompts: {
    readonly [N in keyof A['prompts']]: Calling<TypesOf<A['prompts'][N]>['arguments'], C['options'], C['promptResult']>;
  };
  /**
   * Its resources and templates, by name or URI. The arguments are the variables of a template. A name is looked up in the lists of the server.
   * @example const { data } = await client.resources.today({ city: 'Oslo' });
   */
  readonly resources: {
    readonly [N in keyof A['resources']]: Calling<
      TypesOf<A['resources'][N]>['arguments'],
      C['options'],
      ResourceAnswer<TypesOf<A['resources'][N]>['data'], C['resourceResult']>
    >;
  };
}

type TypesOf<E> = E extends EntryTypes ? E : EntryTypes;
