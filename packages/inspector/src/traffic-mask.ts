/**
 * Hides sensitive values in messages before a page receives them: those that `@Sensitive()` marks in arguments and results, and the same
 * texts in all other places, as in a log, a question or an error.
 */
import { isObject } from '@sigil-mcp/base';
import { redact } from '@sigil-mcp/schema';
import type { ReportedEntry, ReportedShape, TappedHead } from '@sigil-mcp/cli/kit/dev';
import { KnownSecrets } from './known-secrets';
import type { ServedVersion } from './served-versions';

/** An expression of a template, with what may begin and follow it. */
const EXPRESSION = /\{([^{}]+)\}/;

/** Requests whose answers are awaited. */
const MOST_CALLS = 5000;
/** Takes the place of what may be sensitive: nothing says what it is. */
const UNKNOWN = '[hidden]';
/** Headers in which clients repeat arguments. */
const ARGUMENT_HEADER = /^mcp-param-/i;

/** Where a message belongs. */
export interface MessagePlace {
  readonly from: 'client' | 'server';
  /** The same for all messages among which an id is unique. */
  readonly scope: string;
}

/** What a request is about, of which something is sensitive. */
interface RequestSubject {
  readonly entries: readonly ReportedEntry[];
  readonly isCompletion: boolean;
}

type Loose = Record<string, unknown>;

/** The sensitive values of one run of `sigil dev`; messages are given in their order. */
export class TrafficMask {
  readonly #calls = new Map<string, RequestSubject | undefined>();
  readonly #secrets = new KnownSecrets();

  /** The text without sensitive values; the same text if it has none. */
  text(text: string, place: MessagePlace, version: ServedVersion): string {
    if (version.isPlain && this.#secrets.isEmpty) return text;
    let read: unknown;
    try {
      read = JSON.parse(text);
    } catch {
      return this.#secrets.hideIn(text);
    }
    const message = (one: unknown): unknown =>
      isObject(one) ? this.#hidden(this.#message(one, place, version)) : this.hide(one);
    const masked = Array.isArray(read) ? read.map(message) : message(read);
    const written = JSON.stringify(masked);
    return written === JSON.stringify(read) ? text : written;
  }

  /** The headers of a message, whose text was given before. */
  head<T extends TappedHead | undefined>(head: T, version: ServedVersion): T {
    if (!head || (version.isPlain && this.#secrets.isEmpty)) return head;
    const headers = Object.entries(head.headers).map(([name, value]) => [
      name,
      ARGUMENT_HEADER.test(name) && !version.isPlain ? UNKNOWN : this.hide(value),
    ]);
    return { ...head, headers: Object.fromEntries(headers) as TappedHead['headers'] };
  }

  /** A value without the sensitive texts that are known. */
  hide<T>(value: T): T {
    return this.#secrets.hide(value);
  }

  /** The result of a request, which did not pass as a text. */
  result(request: { readonly method: string; readonly params: Loose }, result: object, version: ServedVersion): object {
    if (!version.entries) return hidden(result) as object;
    const called = calledBy(request, version);
    if (called) this.#arguments({ ...request.params }, called);
    return this.hide(called ? (this.#result(result, called) as object) : result);
  }

  /** The frame of a message stays: what a page finds it by is no value. */
  #hidden(message: Loose): Loose {
    if (this.#secrets.isEmpty) return message;
    const { jsonrpc, id, method, ...others } = message;
    const frame = Object.entries({ jsonrpc, id, method }).filter(([, value]) => value !== undefined);
    return { ...Object.fromEntries(frame), ...this.hide(others) };
  }

  #message(message: Loose, { from, scope }: MessagePlace, version: ServedVersion): Loose {
    const { method, params, result } = message;
    const key = `${scope}${JSON.stringify(message['id'])}`;
    if (typeof method === 'string') {
      if (!isObject(params)) return message;
      if (!version.entries) return { ...message, params: withoutValues(params) };
      this.#readUri(method, params, version);
      const called = calledBy({ method, params }, version);
      if (from === 'client' && message['id'] !== undefined) this.#remember(key, called ?? this.#taskOf(params));
      return called ? { ...message, params: this.#arguments(params, called) } : message;
    }
    if (from === 'client' || result === undefined) return message;
    const called = this.#calls.get(key);
    const isKnown = this.#calls.delete(key);
    if (called) {
      for (const id of taskIdsIn(result)) this.#remember(taskKey(id), called);
      return { ...message, result: this.#result(result, called) };
    }
    // A request that was dropped before a page was open: nothing says what of its result is sensitive.
    return isKnown || version.isPlain ? message : { ...message, result: hidden(result) };
  }

  #arguments(params: Loose, { entries, isCompletion }: RequestSubject): Loose {
    if (!isCompletion) return { ...params, arguments: this.#redacted(params['arguments'], inputsOf(entries)) };
    const { argument, context } = params;
    const { name, value } = isObject(argument) ? argument : { name: undefined, value: undefined };
    const masked = this.#redacted({ [String(name)]: value }, inputsOf(entries)) as Loose;
    const before = isObject(context)
      ? { context: { ...context, arguments: this.#redacted(context['arguments'], inputsOf(entries)) } }
      : {};
    return { ...params, argument: { name, value: masked[String(name)] }, ...before };
  }

  #result(result: unknown, { entries, isCompletion }: RequestSubject): unknown {
    if (isCompletion) return hidden(result);
    const shapes = entries.flatMap(({ output }) => (output ? [output] : []));
    return shapes.length === 0 ? result : this.#structured(result, shapes);
  }

  /** Structured content, at any depth: that of a task is within its state; and the same as the text of a block. */
  #structured(value: unknown, shapes: readonly ReportedShape[]): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#structured(one, shapes));
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, member]): [string, unknown] => {
      if (name === 'structuredContent') return [name, this.#redacted(member, shapes)];
      if (name === 'text' && typeof member === 'string') return [name, this.#written(member, shapes)];
      return [name, this.#structured(member, shapes)];
    });
    return Object.fromEntries(members);
  }

  /** A text that is the structured content as JSON. */
  #written(text: string, shapes: readonly ReportedShape[]): string {
    try {
      const read: unknown = JSON.parse(text);
      return isObject(read) || Array.isArray(read) ? JSON.stringify(this.#redacted(read, shapes)) : text;
    } catch {
      return text;
    }
  }

  #redacted(value: unknown, shapes: readonly ReportedShape[]): unknown {
    const masked = shapes.reduce<unknown>((before, shape) => redact(before, shape), value);
    this.#secrets.learn(value, masked);
    return masked;
  }

  /** Variables of a URI may be sensitive; they are hidden as texts. */
  #readUri(method: string, params: Loose, version: ServedVersion): void {
    const { uri } = params;
    if (typeof uri !== 'string' || !method.startsWith('resources/')) return;
    for (const entry of [...version.sensitive.values()].flat())
      if (entry.kind === 'resource-template') this.#secrets.add(...sensitiveInUri(uri, entry));
  }

  #taskOf({ taskId }: Loose): RequestSubject | undefined {
    return typeof taskId === 'string' ? this.#calls.get(taskKey(taskId)) : undefined;
  }

  #remember(key: string, called: RequestSubject | undefined): void {
    this.#calls.delete(key);
    this.#calls.set(key, called);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest);
  }
}

function calledBy(
  { method, params }: { readonly method: string; readonly params: Loose },
  { sensitive }: ServedVersion,
): RequestSubject | undefined {
  const isCompletion = method === 'completion/complete';
  const ref = isCompletion && isObject(params['ref']) ? params['ref'] : params;
  const kind = { 'tools/call': 'tool', 'prompts/get': 'prompt', 'completion/complete': kindOf(ref) }[method];
  const key = kind === 'resource-template' ? ref['uri'] : ref['name'];
  const entries = kind === undefined ? undefined : sensitive.get(`${kind} ${String(key)}`);
  return entries && { entries, isCompletion };
}

function kindOf(ref: Loose): string {
  return ref['type'] === 'ref/resource' ? 'resource-template' : 'prompt';
}

function inputsOf(entries: readonly ReportedEntry[]): ReportedShape[] {
  return entries.flatMap(({ input }) => (input ? [input] : []));
}

function taskKey(id: string): string {
  return `task ${id}`;
}

/** The tasks that an answer names: that of the call itself. */
function taskIdsIn(result: unknown): string[] {
  if (!isObject(result)) return [];
  const { task = result } = result;
  const id = isObject(task) ? task['taskId'] : undefined;
  return typeof id === 'string' ? [id] : [];
}

/** The parameters of a request to a version that nothing is known of. */
function withoutValues(params: Loose): Loose {
  return 'arguments' in params ? { ...params, arguments: hidden(params['arguments']) } : params;
}

/** Every value is hidden; names and the form stay. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hidden(one)]));
  return typeof value === 'string' || typeof value === 'number' ? UNKNOWN : value;
}

/** The texts of sensitive variables, if the URI fits the template: rather too many than too few. */
export function sensitiveInUri(uri: string, { key: template, input }: ReportedEntry): string[] {
  const names = new Set((input?.sensitive ?? []).map(([name]) => name));
  // Every other part is an expression.
  const parts = template.split(EXPRESSION);
  const literals = parts.filter((_, index) => index % 2 === 0);
  return groupsOf(uri, literals).flatMap((group, index) => {
    const variables = (parts[2 * index + 1] ?? '').split(/[+#./;?&,]/).map((name) => name.replace(/[*:].*/s, ''));
    const isSensitive = variables.some((name) => names.has(name));
    // Two expressions side by side cannot be told apart.
    const isAlone = [parts[2 * index], parts[2 * index + 2]].every((literal) => literal !== '' || index === 0);
    return isSensitive || !isAlone ? valuesIn(group).filter((value) => !variables.includes(value)) : [];
  });
}

/**
 * What is between the literals, each as short as possible; nothing if they do not fit. A regular expression would try every way to divide a
 * long URI.
 */
function groupsOf(uri: string, [first = '', ...others]: readonly string[]): string[] {
  const last = others.pop();
  if (last === undefined || !uri.startsWith(first)) return [];
  const groups: string[] = [];
  let at = first.length;
  for (const literal of others) {
    const next = uri.indexOf(literal, at);
    if (next === -1) return [];
    groups.push(uri.slice(at, next));
    at = next + literal.length;
  }
  const end = uri.length - last.length;
  return end >= at && uri.endsWith(last) ? [...groups, uri.slice(at, end)] : [];
}

/** A group with its separators, its values, and what they stand for. */
function valuesIn(group: string): string[] {
  const values = group.split(/[/.;?&=,#]/).filter(Boolean);
  return [...values, ...values.map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
