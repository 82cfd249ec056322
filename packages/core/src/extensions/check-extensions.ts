/** Whether the values in `createServer({ extensions })` are extensions that can be served together: all problems are reported. */
import { META_KEYS, SERVER_NOTIFICATIONS, type ServedRevisions } from '@sigil-mcp/protocol';
import { problem } from '../errors/catalogue';
import {
  isObject,
  nameValue,
  OPTION_RULES,
  type DefinitionProblem,
  type OptionRule,
  type ReportProblem,
} from '@sigil-mcp/base';
import type { Extension, ExtensionProtocol } from './extension';

/** Labels with dots between them, a slash, and a name, as the keys of `_meta` have them. */
const NAME = /^[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i;

const isFunction = (value: unknown): boolean => typeof value === 'function';
const { function: FUNCTION, flag: FLAG } = OPTION_RULES;

const isOperation = (value: unknown): boolean =>
  isObject(value) && typeof value['method'] === 'string' && isFunction(value['compile']);

const listOf = (wanted: string, fits: (value: Readonly<Record<string, unknown>>) => boolean): OptionRule => ({
  wanted: `an array of ${wanted}`,
  fits: (value) => Array.isArray(value) && value.every((each) => isObject(each) && fits(each)),
});

const isNamed = ({ name }: Readonly<Record<string, unknown>>, ...functions: readonly unknown[]): boolean =>
  typeof name === 'string' && functions.every(isFunction);

type Kinds<Members> = Readonly<Record<keyof Members, OptionRule>>;

const MEMBERS: Kinds<Omit<Extension, 'name'>> = {
  protocol: { wanted: 'an object', fits: isObject },
  options: listOf('options made with entryOption()', (one) => isNamed(one, one['factOf'])),
  features: FUNCTION,
  list: FUNCTION,
  check: FUNCTION,
  checkAll: FUNCTION,
  stage: FUNCTION,
  start: FUNCTION,
};

const PROTOCOL: Kinds<ExtensionProtocol> = {
  isForEveryRevision: FLAG,
  capabilities: FUNCTION,
  methods: listOf(
    'methods made with extensionMethod()',
    (one) => isOperation(one['operation']) && isFunction(one['handle']),
  ),
  clientNotifications: listOf(
    'notifications made with extensionNotification()',
    (one) => isOperation(one['notification']) && isFunction(one['handle']),
  ),
  serverNotifications: listOf('notifications with method and compile()', isOperation),
  metaKeys: listOf('keys with name and read()', (one) => isNamed(one, one['read'])),
  resultTypes: listOf(
    'types of results with name, methods, write() and read()',
    (one) => isNamed(one, one['write'], one['read']) && Array.isArray(one['methods']),
  ),
  listenFields: listOf('fields with name, read() and covers()', (one) => isNamed(one, one['read'], one['covers'])),
};

/** The extensions that can be served; reports the problems of all others. */
export function checkExtensions(extensions: readonly unknown[], report: ReportProblem): readonly Extension<object>[] {
  // Spread, because a hole in the array is not an extension either.
  const valid = [...extensions].filter((value, index): value is Extension<object> =>
    isExtension(value, `createServer({ extensions })[${index}]`, report),
  );
  const names = valid.map(({ name }) => name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) < index));
  for (const name of twice) report(problem('SIGIL_EXTENSION_TWICE', whereOf({ name }), { name }));
  return valid.filter(({ name }, index) => names.indexOf(name) === index);
}

/** Where problems of an extension are, in messages. */
export function whereOf({ name }: Pick<Extension, 'name'>): string {
  return `extension ${name}`;
}

function isExtension(value: unknown, where: string, report: ReportProblem): boolean {
  if (!isObject(value)) {
    report(problem('SIGIL_EXTENSION_KIND', where, { value: nameValue(value) }));
    return false;
  }
  const { name, ...members } = value;
  const { protocol } = members;
  const problems = [
    ...(typeof name === 'string' && NAME.test(name)
      ? []
      : [problem('SIGIL_EXTENSION_NAME', where, { name: nameValue(name) })]),
    ...problemsOf(members, MEMBERS, { where, of: '' }),
    ...(isObject(protocol) ? problemsOf(protocol, PROTOCOL, { where, of: 'protocol.' }) : []),
  ];
  problems.forEach(report);
  return problems.length === 0;
}

function problemsOf(
  members: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, OptionRule>>,
  { where, of }: { readonly where: string; readonly of: string },
): DefinitionProblem[] {
  return Object.entries(members).flatMap(([name, given]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    const member = of + name;
    if (!kind) {
      const known = [...(of ? [] : ['name']), ...Object.keys(kinds)].map((each) => of + each).join(', ');
      return [problem('SIGIL_EXTENSION_UNKNOWN', where, { member, known })];
    }
    if (given === undefined || kind.fits(given)) return [];
    return [problem('SIGIL_EXTENSION_MEMBER', where, { member, value: nameValue(given), wanted: kind.wanted })];
  });
}

/** The names that the protocol has. */
export interface ProtocolNames {
  readonly revisions: ServedRevisions;
  /** Kind of entry -> the options of its decorator and its data. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Reports names that an extension adds, and the protocol or an earlier extension has. */
export function checkClashes(
  extensions: readonly Extension<object>[],
  known: ProtocolNames,
  report: ReportProblem,
): void {
  if (extensions.length === 0) return;
  const owners = namesOfProtocol(known);
  for (const extension of extensions) {
    for (const [kind, name] of namesOf(extension)) {
      const key = `${kind} ${name}`;
      const owner = owners.get(key);
      if (owner) report(problem('SIGIL_EXTENSION_CLASH', whereOf(extension), { kind, name, owner }));
      else owners.set(key, whereOf(extension));
    }
  }
}

type Name = readonly [kind: string, name: string];

function namesOf({ protocol = {}, options = [] }: Extension<object>): readonly Name[] {
  const { methods = [], clientNotifications = [], serverNotifications = [] } = protocol;
  const { metaKeys = [], resultTypes = [], listenFields = [] } = protocol;
  return [
    ...methods.map(({ operation }): Name => ['method', operation.method]),
    ...clientNotifications.map(({ notification }): Name => ['notification of clients', notification.method]),
    ...serverNotifications.map(({ method }): Name => ['notification', method]),
    ...metaKeys.map(({ name }): Name => ['key of _meta', name]),
    ...resultTypes.map(({ name }): Name => ['type of results', name]),
    ...listenFields.map(({ name }): Name => ['field of subscriptions/listen', name]),
    ...options.map(({ kind, name }): Name => [`option of a ${kind}`, name]),
  ];
}

const FILTER = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged', 'resourceSubscriptions'];

function namesOfProtocol({ revisions: { handshake, perRequest }, options }: ProtocolNames): Map<string, string> {
  const all = [...handshake, ...perRequest];
  const names: Name[] = [
    ...all.flatMap(({ requests }) => [...requests].map((method): Name => ['method', method])),
    ...all.flatMap(({ notifications }) => [...notifications].map((name): Name => ['notification of clients', name])),
    ...SERVER_NOTIFICATIONS.map((method): Name => ['notification', method]),
    ...['progressToken', ...Object.values(META_KEYS)].map((key): Name => ['key of _meta', key]),
    ...['complete', 'input_required'].map((name): Name => ['type of results', name]),
    ...FILTER.map((name): Name => ['field of subscriptions/listen', name]),
    ...Object.entries(options).flatMap(([kind, all]) => all.map((name): Name => [`option of a ${kind}`, name])),
  ];
  return new Map(names.map(([kind, name]) => [`${kind} ${name}`, 'the protocol']));
}
