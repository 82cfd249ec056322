/** `ClientOf`: what a client can do with a server, from the types of its features. */
import type { FeatureSource } from '../kinds/all-kinds';
import type { PromptReturn } from '../decorators/prompt';
import type { Module } from '../scanner/flatten-modules';
import type {
  ArgumentsOfMethod,
  AskedByMethod,
  DataOfReturn,
  NamedTypes,
  TypedPrompt,
  TypedResource,
  TypedTool,
} from '../typed/entry-types';
import type { Server } from './server';

/** The features of a server or of a module, and the modules in it, for the compiler. */
export interface ServerParts {
  readonly features?: readonly FeatureSource[];
  readonly modules?: readonly Module[];
  readonly prefix?: string;
}

/**
 * What a client can do with a server, for `createClient` of `@sigil-mcp/client` and the test kit: the tools, prompts and resources, with
 * their arguments, results and questions. It is made from the types of classes and functions, so a client that imports the type alone has
 * no code of the server. The compiler does not see decorators: the public methods of a class are offered by their own names as tools and
 * resources, and as prompts where they return messages.
 * @example
 * export const server = createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature] });
 * export type Api = ClientOf<typeof server>;
 */
export type ClientOf<S> = S extends Server<infer Parts> ? ApiOf<Parts> : never;

/** What the parts of a server offer. */
export type ApiOf<Parts> = {
  readonly tools: ByName<NamedBy<Parts, 'tool', ''>>;
  readonly prompts: ByName<NamedBy<Parts, 'prompt', ''>>;
  readonly resources: ByName<NamedBy<Parts, 'resource', ''>>;
};

type AnyNamed = NamedTypes<string, unknown, unknown, unknown>;

type ByName<E> = {
  readonly [One in E as One extends AnyNamed ? One['name'] : never]: One extends AnyNamed
    ? { readonly arguments: One['arguments']; readonly data: One['data']; readonly asks: One['asks'] }
    : never;
};

type CallableKind = 'tool' | 'prompt' | 'resource';

/** The entries of a kind, of features and modules. */
type NamedBy<Parts, K extends CallableKind, Prefix extends string> =
  | (Parts extends { readonly features: readonly (infer One)[] } ? NamedIn<One, K, Prefix> : never)
  | (Parts extends { readonly modules: readonly (infer One)[] } ? NamedInModule<One, K, Prefix> : never);

type NamedInModule<M, K extends CallableKind, Prefix extends string> = M extends object
  ? NamedBy<M, K, M extends { readonly prefix: infer Own extends string } ? `${Prefix}${Own}_` : Prefix>
  : never;

/** The entries of a kind, of one feature. */
type NamedIn<F, K extends CallableKind, Prefix extends string> = F extends new (...args: never[]) => infer Instance
  ? NamedInClass<Instance, K, Prefix>
  : K extends 'tool'
    ? F extends TypedTool<infer Types>
      ? Prefixed<Types, Prefix>
      : never
    : K extends 'prompt'
      ? F extends TypedPrompt<infer Types>
        ? Prefixed<Types, Prefix>
        : never
      : F extends TypedResource<infer Types>
        ? Types
        : never;

type Prefixed<Types, Prefix extends string> =
  Types extends NamedTypes<infer N, infer A, infer D, infer Q> ? NamedTypes<`${Prefix}${N}`, A, D, Q> : never;

type NamedInClass<Instance, K extends CallableKind, Prefix extends string> = {
  [N in MethodsOf<Instance, K>]: NamedTypes<
    K extends 'resource' ? N : `${Prefix}${N}`,
    ArgumentsOfMethod<Instance[N]>,
    Instance[N] extends (...args: never[]) => infer R ? DataOfReturn<R> : never,
    AskedByMethod<Instance[N]>
  >;
}[MethodsOf<Instance, K>];

/** The public methods of a class that may be entries of a kind. */
type MethodsOf<Instance, K extends CallableKind> = {
  [N in keyof Instance & string]: Instance[N] extends (...args: never[]) => infer R
    ? N extends 'onStart' | 'onStop'
      ? never
      : K extends 'prompt'
        ? R extends PromptReturn
          ? N
          : never
        : N
    : never;
}[keyof Instance & string];
