/**
 * What differs between the kinds of entries, as one value for each kind. The other files of the package ask it, and do not distinguish
 * kinds themselves.
 */
import type { MaybePromise, ReportProblem } from '@sigil-mcp/base';
import type { FactKind } from '@sigil-mcp/base/facts';
import type {
  CacheHints,
  ChangeNotification,
  Method,
  ProtocolError,
  ResultOf,
  ServerCapabilities,
  SubscriptionFilter,
} from '@sigil-mcp/protocol';
import type { EntryKind } from '../context/entry-facts';
import type { McpContext } from '../context/mcp-context';
import type { EntryDataBase } from '../members/data-base';
import type { Companions, Member, PlanBase } from '../members/member';
import type { ListedCursors } from '../registry/listed-cursors';
import type { Registry } from '../registry/registry';
import type { ReportFailure } from '../registry/resource-listing';

/** The notification of a changed list. */
export type ListChange = Extract<ChangeNotification['method'], `${string}/list_changed`>;

/** A method that lists entries. */
export type ListMethod = Extract<Method, `${string}/list`>;

/** What lists are made with. */
interface ListServices {
  readonly registry: Registry;
  /** For pages that are the same for every caller. */
  readonly cache: CacheHints;
  /** Writes and reads cursors into what templates list. */
  readonly cursors: ListedCursors;
  readonly reportFailure: ReportFailure;
}

/** The list of one kind. */
interface EntryList {
  /** One page, as the caller may see it. */
  page(cursor: string | undefined, context: McpContext): MaybePromise<ResultOf<ListMethod>>;
}

/** The data of a kind of entry: resources and templates have one in common. */
type KindData = EntryDataBase & { readonly kind: string };

/**
 * The rules of one kind.
 * @typeParam P its plan
 * @typeParam F what its decorator writes
 * @typeParam D the data that describes such an entry in place of a decorator
 */
export interface EntryKindRules<P extends PlanBase<EntryKind, EntryDataBase>, F, D extends KindData> {
  readonly kind: P['kind'];

  // How authors define it.
  /** The name of its decorator in messages. */
  readonly decorator: string;
  readonly facts: FactKind<F>;
  /** The `kind` of its data. */
  readonly dataKind: D['kind'];
  /** Whether a fact or data describes this kind; left out where no other kind has the same decorator. */
  fits?(described: F | D): boolean;
  /** The member of data that identifies the entry, and never changes. */
  readonly keyMember: 'name' | 'uri';
  /** The members that its data may have, in the order of messages. */
  readonly members: object;
  /** The options that its decorator takes. */
  readonly options: ReadonlySet<string>;
  /** What the decorator would have written in place of the data. */
  factOf(data: D): F;
  /** Whether data is in order that its type cannot rule out; reports why not. Left out where nothing is to be checked. */
  checkData?(data: D, where: string, report: ReportProblem): boolean;

  // How it is planned.
  /** Plans an entry; undefined if there is a problem with it, which has been reported. */
  scan(member: Member, fact: F, companions: Companions): P | undefined;
  /** The key of the entry that a fact defines on a method. */
  keyOf(member: Pick<Member, 'name' | 'module'>, fact: F): string;
  /** The fact with some options changed. */
  reword(fact: F, changes: Partial<D>): F;
  /** Its arguments that can be completed; left out for a kind that has none. */
  argumentNames?(plan: P): readonly string[];

  // How clients see it.
  /** The capability without which its methods do not exist. */
  readonly capability: 'tools' | 'resources' | 'prompts';
  /** What the server says about this capability. */
  readonly offers: ServerCapabilities[EntryKindRules<P, F, D>['capability']];
  readonly listChange: ListChange;
  /** The member of a subscription that asks for the changes of its list. */
  readonly listFilter: Extract<keyof SubscriptionFilter, `${string}ListChanged`>;
  readonly listMethod: ListMethod;
  /** The member of a page of its list that has the definitions. */
  readonly listMember: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  openList(services: ListServices): EntryList;
  /**
   * The error for an entry that does not exist, as far as the caller may know.
   * @param key of the entry
   * @param uri that the caller named; empty if it named none
   */
  unknown(key: string, uri: string): ProtocolError;
}

// The kinds of entries and the notifications of their changed lists, for code that needs no more of a kind: the rules in `all-kinds.ts`
// load everything that compiles entries.

/** Kind -> the notification of its changed list. */
export const LIST_CHANGES = {
  tool: 'notifications/tools/list_changed',
  resource: 'notifications/resources/list_changed',
  'resource-template': 'notifications/resources/list_changed',
  prompt: 'notifications/prompts/list_changed',
} as const satisfies Readonly<Record<EntryKind, ListChange>>;

/** Whether a value is the name of a kind. */
export function isEntryKind(value: unknown): value is EntryKind {
  return typeof value === 'string' && Object.hasOwn(LIST_CHANGES, value);
}
