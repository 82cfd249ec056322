/** Resource templates: URIs with variables, whose contents clients read. */
import type { ListResourceTemplatesResult, ResourceTemplate } from '@sigil-mcp/protocol';
import type { ResourceFact } from '../decorators/resource';
import { problem, wordsFor } from '../errors/catalogue';
import { compileUriTemplate } from '../registry/uri-templates/compile-uri-template';
import type { UriTemplate } from '../registry/uri-templates/parse-uri-template';
import { isSensitive, type InputShape, type JsonSchema } from '@sigil-mcp/schema';
import { reportMirroredArguments } from '../mirrored-arguments/mirrored-arguments';
import { checkPlaceholders } from '../members/check-placeholders';
import { completeValues } from '../members/complete-values';
import { reportMember, type Member, compileForms } from '../members/member';
import type { Companions, CompleterPlan, ListPlan } from '../members/plan-base';
import { scanParameters, type Parameters } from '../members/scan-parameters';
import { Listing, type ListedPage } from '../registry/listing';
import type { EntryKindRules } from './entry-kind-rules';
import {
  checkResourceWords,
  CONTENTS,
  describeResource,
  isTemplate,
  planContents,
  type ContentsPlan,
  type ResourceData,
} from './resource-contents';

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
