/** What the registry holds: an entry that is ready to be listed and called. */
import { isPromise, type FormSchema, type MaybePromise } from '@sigil-mcp/base';
import type { CacheHints } from '@sigil-mcp/protocol';
import type { JsonSchema } from '@sigil-mcp/schema';
import type { RunningCall } from '../calls/running-call';
import type { Access, Guard } from '../context/call';
import { hasNoToken, type Caller } from '../context/caller';
import type { EntryKind, FacedEntry } from '../context/entry-facts';
import type { McpContext } from '../context/mcp-context';
import { sigilError } from '../errors/catalogue';
import { MissingScopes, MissingToken } from '../errors/denial';
import type { MirroredArgument } from '../mirrored-arguments/mirrored-arguments';
import type { PageRequest, ResourcePage } from './listed-resource';
import type { UriTemplate } from './uri-templates/parse-uri-template';

/** Suggests values of one argument. */
export type Completer = (prefix: string, call: RunningCall) => MaybePromise<unknown>;

/** Lists the resources under a template. */
export interface TemplateList {
  /** The author's function, which identifies a list. */
  readonly origin: unknown;
  /** Whether the author's function receives the requested page. */
  readonly isPaged: boolean;
  /** A page of the resources under the template. Throws the errors of the author's function, and for resources without a match. */
  readonly resources: (context: McpContext, page: PageRequest) => MaybePromise<ResourcePage>;
}

/** One entry, compiled. */
export interface Entry<K extends EntryKind = EntryKind> extends FacedEntry<K> {
  /** All guards that apply: of the server, the class and the method. */
  readonly guards: readonly Guard[];
  /** Whether extensions run something around its calls. */
  readonly hasStages: boolean;
  /** The compiled call. */
  readonly invoke: (call: RunningCall) => MaybePromise<unknown>;
  /** Argument or variable -> completer; empty for tools and resources. */
  readonly completers: ReadonlyMap<string, Completer>;
  /** The compiled URI template; only templates have one. */
  readonly template: UriTemplate | undefined;
  /** What lists the resources under it; only templates have one. */
  readonly list: TemplateList | undefined;
  /** How long its contents may be cached; only resources and templates say so. */
  readonly cache: CacheHints | undefined;
  /** Whether lists leave it out, for all callers: resources and templates may say so, and extensions of any entry. */
  readonly isUnlisted: boolean;
  /** The JSON Schema of its arguments or variables, with what a listed prompt or template leaves out; undefined if it has none. */
  readonly input: JsonSchema | undefined;
  /** The forms that it declares to ask the user; it may ask others as well. */
  readonly asks: readonly FormSchema[];
  /** Arguments that HTTP clients mirror into headers; only tools have them. */
  readonly mirrored: readonly MirroredArgument[];
  /** Old name -> the entry as it is called by that name; only tools that were renamed have them. */
  readonly aliases?: ReadonlyMap<string, Entry<K>>;
}

// Who sees an entry, and who may use it: one implementation for lists, completions and subscriptions; that of calls is compiled.

/** Whether the entry itself has different rules for different callers. */
export function dependsOnCaller({ guards, policy }: Entry): boolean {
  return guards.length > 0 || policy.scopes.length > 0;
}

/** A text that is the same for callers that see the same, apart from guards that depend on more than rights. */
export function rightsOf(caller: Caller): string {
  return hasNoToken(caller) ? 'without token' : caller.rights;
}

/** Whether lists may show an entry to a caller, without calling guards. */
export function isShownTo({ policy }: Entry, caller: Caller): boolean {
  if (hasNoToken(caller)) return policy.isPublic;
  return policy.isListed || caller.hasScopes(...policy.scopes);
}

/**
 * The guards that must be called each time to decide whether lists show an entry to a caller, because they depend on more than rights;
 * undefined if the caller's rights hide it.
 */
export function guardsToAsk(entry: Entry, access: Access): readonly Guard[] | undefined {
  if (!isShownTo(entry, access.caller)) return undefined;
  const asked: Guard[] = [];
  for (const guard of entry.guards) {
    const verdict = guard.dependsOn === 'rights' ? guard.allows(access, entry.face) : undefined;
    // A guard that returns a promise breaks its declaration, and is called each time like others.
    if (verdict === undefined || isPromise(verdict)) asked.push(guard);
    else if (verdict !== true) return undefined;
  }
  return asked;
}

/** Whether lists show an entry to all callers with the same rights, or to none; undefined if only a guard can decide. */
export function isShownByRights(entry: Entry, caller: Caller): boolean | undefined {
  try {
    const asked = guardsToAsk(entry, bareAccess(caller));
    if (asked === undefined) return false;
    return asked.length === 0 || undefined;
  } catch {
    // The guard depends on more than it declares. The caller of the list receives the error.
    return undefined;
  }
}

/** Whether lists show an entry to a caller: one that lacks only scopes is shown, because the caller can ask for them. */
export async function isVisible(entry: Entry, access: Access): Promise<boolean> {
  return isShownTo(entry, access.caller) && letsThrough(entry, access);
}

/** Whether a caller may use an entry, without a reason why not. */
export async function isUsable(entry: Entry, access: Access): Promise<boolean> {
  return hasRights(entry, access.caller) && letsThrough(entry, access);
}

/**
 * Whether the guards of an entry let a caller through, who then needs its scopes.
 * @throws MissingScopes, but only to callers that the guards let through
 */
export async function admits(entry: Entry, access: Access): Promise<boolean> {
  if (!(await letsThrough(entry, access))) return false;
  if (hasRights(entry, access.caller)) return true;
  throw new MissingScopes(entry.policy.scopes);
}

/**
 * Whether a caller that was let through before still has the rights: scopes, roles, and guards that depend on them. Other guards cannot
 * be called, because there is no request.
 */
export function stillHasRights(entry: Entry, caller: Caller): boolean {
  const access = bareAccess(caller);
  const guards = entry.guards.filter(({ dependsOn }) => dependsOn === 'rights');
  return hasRights(entry, caller) && guards.every((guard) => guard.allows(access, entry.face) === true);
}

/** Lets a caller without a token use public entries; throws `MissingToken` for all others, whether or not they exist. */
export function checkWithoutToken(entry: Entry | undefined, caller: Caller): void {
  if (!hasNoToken(caller) || entry?.policy.isPublic) return;
  // An entry that a guard may hide is not revealed, not even its existence.
  const isKnown = entry !== undefined && entry.guards.length === 0 && entry.policy.isListed;
  throw new MissingToken(isKnown ? entry.policy.scopes : []);
}

/** Whether every guard of an entry admits the caller; its scopes are checked elsewhere. */
export async function letsThrough(entry: Entry, access: Access): Promise<boolean> {
  for (const guard of entry.guards) {
    const verdict = guard.allows(access, entry.face);
    if ((isPromise(verdict) ? await verdict : verdict) !== true) return false;
  }
  return true;
}

function hasRights({ policy }: Entry, caller: Caller): boolean {
  return hasNoToken(caller) ? policy.isPublic : caller.hasScopes(...policy.scopes);
}

/** The access of a caller without a request. */
function bareAccess(caller: Caller): Access {
  const client = { name: undefined, version: undefined, capabilities: {} };
  const get = () => Promise.reject(sigilError('SIGIL_INTERNAL', { what: 'rights are looked at without a call' }));
  return { caller, headers: {}, client, get };
}
