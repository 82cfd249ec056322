/** `@Resource` -> plan, of a resource or of a template. */
import type { Resource, ResourceTemplate } from '@sigil-mcp/protocol';
import type { ResourceFact, ResourceOptions } from '../decorators/resource';
import { checkWords } from '../errors/check-words';
import { wordsFor } from '../errors/catalogue';
import { compileResourceOutput } from '../output/shape-resource-contents';
import type { RunningCall } from '../calls/running-call';
import type { EntryKind } from '../context/entry-facts';
import { isAbsoluteUri } from '../registry/absolute-uri';
import { compileUriTemplate } from '../registry/uri-templates/compile-uri-template';
import type { UriTemplate } from '../registry/uri-templates/uri-template';
import type { InputShape, JsonSchema } from '@sigil-mcp/schema';
import { reportMirroredArguments } from '../headers/mirrored-arguments';
import { compileForms } from './check-forms';
import { checkPlaceholders } from './check-placeholders';
import { completeValues } from './complete-values';
import { surroundingsOf, reportMember, type Member } from './member';
import type { CompleterPlan, EntryPlan, ListPlan } from './plan';
import { scanParameters, type Parameters } from './scan-parameters';

/** The functions that belong to a template besides its method. */
export interface TemplateCompanions {
  readonly completers: readonly CompleterPlan[];
  readonly list: ListPlan | undefined;
}

/** Plans a resource or a template; undefined if there is a problem with it, which has been reported. */
export function scanResource(
  member: Member,
  fact: ResourceFact,
  companions: TemplateCompanions,
): EntryPlan<'resource'> | EntryPlan<'resource-template'> | undefined {
  const parameters = scanParameters(member, fact.options.input);
  const asks = compileForms(member, fact.options.asks);
  const plan = fact.uri.includes('{')
    ? planTemplate(member, fact, parameters, companions)
    : planResource(member, fact, parameters);
  if (!checkResourceWords(member, fact.options) || !asks || !plan) return undefined;
  checkPlaceholders(member, plan.definition);
  return { ...plan, asks };
}

function checkResourceWords(member: Member, { name = member.name, description }: ResourceOptions): boolean {
  const words = { name, ...(description !== undefined && { description }) };
  return checkWords(words, member.where, member.report);
}

/** A plan before its forms are added. */
type WithoutForms<K extends EntryKind> = Omit<EntryPlan<K>, 'asks'>;

function planResource(
  member: Member,
  { uri, options }: ResourceFact,
  parameters: Parameters,
): WithoutForms<'resource'> | undefined {
  if (!checkResource(member, uri, parameters)) return undefined;
  const definition: Resource = {
    uri,
    ...describeResource(member, options),
    ...(options.size !== undefined && { size: options.size }),
  };
  const none = { input: undefined, completers: [], template: undefined, list: undefined };
  return { kind: 'resource', key: uri, ...planContents(member, options, parameters), definition, ...none };
}

function planTemplate(
  member: Member,
  { uri, options }: ResourceFact,
  parameters: Parameters,
  { completers, list }: TemplateCompanions,
): WithoutForms<'resource-template'> | undefined {
  const template = readTemplate(member, uri);
  const input = template && templateInput(member, template, parameters);
  if (!template || input === 'broken') return undefined;
  const definition: ResourceTemplate = { uriTemplate: uri, ...describeResource(member, options) };
  return {
    kind: 'resource-template',
    key: uri,
    ...planContents(member, options, parameters),
    definition,
    input,
    completers: completeValues(completers, input?.schema, template.lists),
    template,
    list,
  };
}

/** The parts that plans of resources and of templates have in common, because both are read. */
function planContents(member: Member, options: ResourceOptions, { sources }: Parameters) {
  return {
    ...surroundingsOf(member),
    parameters: sources,
    shapeOutput: shapeContents(member, options),
    cache: options.cache,
    timeout: undefined,
    concurrency: undefined,
    mirrored: [],
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

function shapeContents(member: Member, options: ResourceOptions): EntryPlan['shapeOutput'] {
  const shape = compileResourceOutput({ where: member.where, mimeType: options.mimeType, cache: options.cache });
  return (value: unknown, { params }: RunningCall) => shape(value, 'uri' in params ? params.uri : '');
}

function checkResource(member: Member, uri: string, { input, sources }: Parameters): boolean {
  if (!isAbsoluteUri(uri)) {
    reportMember(member, wordsFor('SIGIL_RESOURCE_URI', { uri: JSON.stringify(uri) }));
    return false;
  }
  if (input !== undefined || sources.includes('input')) {
    reportMember(member, wordsFor('SIGIL_RESOURCE_INPUT'));
    return false;
  }
  return true;
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
  return checkVariables(member, template, shape) ? shape : 'broken';
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
