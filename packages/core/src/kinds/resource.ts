/** Resource templates, and what they have in common with resources, because clients read both: their decorator, their data, their contents. */
import type { CacheHints, ListResourceTemplatesResult, ResourceTemplate } from '@sigil-mcp/protocol';
import { isSensitive, type InputShape, type JsonSchema } from '@sigil-mcp/schema';
import type { RunningCall } from '../calls/running-call';
import type { EntryKind } from '../context/entry-facts';
import { RESOURCE, type ResourceFact, type ResourceOptions } from '../decorators/resource';
import { checkWords, problem, unknownResource, wordsFor } from '../errors/catalogue';
import { checkPlaceholders } from '../members/check-placeholders';
import { completeValues } from '../members/complete-values';
import { DATA_MEMBERS, optionsOf, type Completions, type EntryDataBase, type Names } from '../members/data-base';
import {
  compileForms,
  reportMember,
  surroundingsOf,
  type Companions,
  type CompleterPlan,
  type ListPlan,
  type Member,
  type PlanBase,
} from '../members/member';
import { scanParameters, type Parameters } from '../members/scan-parameters';
import { reportMirroredArguments } from '../mirrored-arguments/mirrored-arguments';
import { compileResourceOutput } from '../output/shape-contents';
import type { ListResources } from '../registry/listed-resource';
import { Listing, type ListedPage } from '../registry/listing';
import { compileUriTemplate } from '../registry/uri-templates/compile-uri-template';
import type { UriTemplate } from '../registry/uri-templates/parse-uri-template';
import { LIST_CHANGES, type EntryKindRules } from './entry-kind-rules';

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

// Resource templates: URIs with variables, whose contents clients read.

/** One resource template to be. */
export interface TemplatePlan extends ContentsPlan<'resource-template'> {
  readonly completers: readonly CompleterPlan[];
  /** The compiled URI template. */
  readonly template: UriTemplate;
  /** What lists the resources under it. */
  readonly list: ListPlan | undefined;
}

/** What is particular to resource templates. */
export const TEMPLATE_RULES: EntryKindRules<TemplatePlan, ResourceFact, ResourceData> = {
  ...CONTENTS,
  kind: 'resource-template',
  fits: isTemplate,
  scan: scanTemplate,
  argumentNames: ({ template }) => template.variables,
  listMethod: 'resources/templates/list',
  listMember: 'resourceTemplates',
  openList: ({ registry, cache }) => new Listing(registry, 'resource-template', cache, shapePage),
};

function scanTemplate(
  member: Member,
  { uri, options }: ResourceFact,
  { completers, list }: Companions,
): TemplatePlan | undefined {
  const parameters = scanParameters(member, options.input);
  const asks = compileForms(member, options.asks);
  const template = readTemplate(member, uri);
  const input = template && templateInput(member, template, parameters);
  if (!checkResourceWords(member, options) || !asks || !template || input === 'broken') return undefined;
  const definition: ResourceTemplate = { uriTemplate: uri, ...describeResource(member, options) };
  checkPlaceholders(member, definition);
  return {
    kind: 'resource-template',
    key: uri,
    definition,
    ...planContents(member, options, parameters),
    input,
    asks,
    completers: completeValues(completers, input?.schema, template.lists),
    template,
    list,
  };
}

function readTemplate(member: Member, uri: string): UriTemplate | undefined {
  const template = compileUriTemplate(uri);
  if (typeof template !== 'string') return template;
  reportMember(member, wordsFor('SIGIL_URI_TEMPLATE', { uri: JSON.stringify(uri), reason: template }));
  return undefined;
}

function templateInput(
  member: Member,
  template: UriTemplate,
  { input }: Parameters,
): InputShape | undefined | 'broken' {
  if (input === undefined) return undefined;
  const shape = member.shapes.input(input, { strings: true }, member);
  if (!shape) return 'broken';
  const isClean = reportMirroredArguments(shape.schema, 'resource template', (problem) =>
    reportMember(member, problem),
  );
  if (!isClean) return 'broken';
  warnOfSensitive(member, template, shape);
  return checkVariables(member, template, shape) ? shape : 'broken';
}

/** Adds a problem for each secret in a URI, which a strict server refuses. */
function warnOfSensitive({ shapes, report, where }: Member, { variables }: UriTemplate, shape: InputShape): void {
  for (const variable of variables)
    if (isSensitive([variable], shape))
      shapes.addVague(problem('SIGIL_TEMPLATE_SENSITIVE', where, { variable }), report);
}

function checkVariables(member: Member, { variables, lists }: UriTemplate, { schema }: InputShape): boolean {
  // The compiler of schemas always writes an object schema in this form.
  const schemas = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const properties = Object.keys(schemas);
  const unexpected = [
    ...properties.filter((name) => !variables.includes(name)),
    ...variables.filter((name) => !properties.includes(name)),
  ];
  if (unexpected.length > 0) {
    const names = { variables: variables.join(', '), properties: properties.join(', '), odd: unexpected.join(', ') };
    reportMember(member, wordsFor('SIGIL_TEMPLATE_VARIABLES', names));
    return false;
  }
  const odd = Object.entries(schemas).filter(([name, property]) => !holds(property, lists.has(name)));
  for (const [name] of odd)
    reportMember(
      member,
      wordsFor(lists.has(name) ? 'SIGIL_TEMPLATE_LIST' : 'SIGIL_TEMPLATE_NO_LIST', { variable: name }),
    );
  return odd.length === 0;
}

/** Whether a property can take a list, or a single text. */
function holds({ type, anyOf, enum: values }: JsonSchema, list: boolean): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((one: JsonSchema) => holds(one, list));
  if (Array.isArray(values)) return !list;
  if (type === undefined) return true;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.some((one) => one !== 'null' && (one === 'array') === list);
}

function shapePage({ definitions, nextCursor, cache }: ListedPage<'resource-template'>): ListResourceTemplatesResult {
  return { resourceTemplates: definitions, ...(nextCursor !== undefined && { nextCursor }), ...cache };
}
