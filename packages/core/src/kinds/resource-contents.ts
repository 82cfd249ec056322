/** What resources and resource templates have in common, because clients read both: their decorator, their data, their contents. */
import type { CacheHints } from '@sigil-mcp/protocol';
import { RESOURCE, type ResourceFact, type ResourceOptions } from '../decorators/resource';
import { checkWords } from '../errors/check-words';
import { unknownResource } from '../errors/unknown-entry';
import { compileResourceOutput } from '../output/shape-resource-contents';
import type { RunningCall } from '../calls/running-call';
import type { EntryKind } from '../context/entry-facts';
import { DATA_MEMBERS, optionsOf, type Completions, type EntryDataBase, type Names } from '../members/data-base';
import { surroundingsOf, type Member } from '../members/member';
import type { PlanBase } from '../members/plan-base';
import type { Parameters } from '../members/scan-parameters';
import type { ListResources } from '../registry/listed-resource';
import { LIST_CHANGES } from './list-changes';

/** A resource or, with `{variables}` in its URI, a resource template, described by data. */
export interface ResourceData extends EntryDataBase, Omit<ResourceOptions, 'name'> {
  readonly kind: 'resource';
  /** An absolute URI, or an RFC 6570 template of one. */
  readonly uri: string;
  /** The name that clients show. */
  readonly name: string;
  /** Lists resources under a template, like `@ListTemplate`; none if left out. */
  readonly list?: ListResources;
  /** Completes the variables of a template, by their names; a variable with an enum or a boolean type is completed automatically. */
  readonly complete?: Completions;
}

/** The plan of an entry with contents. */
export interface ContentsPlan<K extends EntryKind> extends PlanBase<K, ResourceData> {
  /** How long its contents may be cached. */
  readonly cache: CacheHints | undefined;
  /** Whether lists leave it out. */
  readonly isUnlisted: boolean;
}

const MEMBERS: Names<ResourceData> = {
  ...DATA_MEMBERS,
  uri: true,
  mimeType: true,
  size: true,
  annotations: true,
  cache: true,
  unlisted: true,
  list: true,
  complete: true,
};

/** The rules of kinds with contents. */
export const CONTENTS = {
  decorator: '@Resource',
  facts: RESOURCE,
  dataKind: 'resource',
  keyMember: 'uri',
  members: MEMBERS,
  options: optionsOf(MEMBERS),
  factOf: (data: ResourceData): ResourceFact => ({ uri: data.uri, options: data }),
  keyOf: (_member: unknown, { uri }: ResourceFact): string => uri,
  reword: ({ uri, options }: ResourceFact, changes: Partial<ResourceData>): ResourceFact => ({
    uri,
    options: { ...options, ...changes },
  }),
  capability: 'resources',
  offers: { listChanged: true, subscribe: true },
  listChange: LIST_CHANGES.resource,
  listFilter: 'resourcesListChanged',
  // Clients name the URI that they want, and not the template that it is under.
  unknown: (_key: string, uri: string) => unknownResource(uri),
} as const;

/** Whether a fact or data describes a template. JavaScript, or a cast, may pass any value as its URI. */
export function isTemplate({ uri }: { readonly uri: unknown }): boolean {
  return typeof uri === 'string' && uri.includes('{');
}

/** Whether its name and its description are texts; reports what is not. */
export function checkResourceWords(member: Member, { name = member.name, description }: ResourceOptions): boolean {
  const words = { name, ...(description !== undefined && { description }) };
  return checkWords(words, member.where, member.report);
}

/** The parts of a plan that do not depend on whether the URI has variables. */
export function planContents(member: Member, options: ResourceOptions, { sources }: Parameters) {
  return {
    ...surroundingsOf(member),
    parameters: sources,
    shapeOutput: shapeContents(member, options),
    cache: options.cache,
    isUnlisted: options.unlisted === true,
  };
}

/** The definition of a resource or a template in lists, without its URI. */
export function describeResource({ name: memberName }: { readonly name: string }, options: ResourceOptions) {
  const { name = memberName, title, description, mimeType, annotations, icons, meta } = options;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  };
}

function shapeContents(member: Member, options: ResourceOptions): ContentsPlan<EntryKind>['shapeOutput'] {
  const shape = compileResourceOutput({ where: member.where, mimeType: options.mimeType, cache: options.cache });
  return (value: unknown, { params }: RunningCall) => shape(value, 'uri' in params ? params.uri : '');
}
