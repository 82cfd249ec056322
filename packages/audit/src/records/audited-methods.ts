/** Which methods are recorded, and what is about an entry. */

/** Methods of the protocol and of its extensions: a record has no name that a client made up. */
const KNOWN: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/call',
  'tools/list',
]);

/** Methods about one entry. */
const ABOUT_ENTRY: ReadonlySet<string> = new Set([
  'completion/complete',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'tools/call',
]);

/** Methods whose arguments are a parameter of their own. */
const WITH_ARGUMENTS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** Parameters that say how a request is answered, and not what is wanted. */
const ASIDE: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState']);

/** Whether the method is one that this package knows. */
export function isKnown(method: string): boolean {
  return KNOWN.has(method);
}

/** Whether a method is about one entry. */
export function isAboutEntry(method: string): boolean {
  return ABOUT_ENTRY.has(method);
}

/** Whether a method only tells what there is. */
export function isListing(method: string): boolean {
  return method === 'server/discover' || method.endsWith('/list');
}

/** What a request wants: the arguments of a call, or all parameters of another method. */
export function argumentsOf(method: string, params: Readonly<Record<string, unknown>> | undefined): unknown {
  if (WITH_ARGUMENTS.has(method)) return params?.['arguments'] ?? {};
  return Object.fromEntries(Object.entries(params ?? {}).filter(([name]) => !ASIDE.has(name)));
}
