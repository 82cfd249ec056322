/** Resources: contents under one URI, which clients read. */
import type { Resource } from '@sigil-mcp/protocol';
import type { ResourceFact } from '../decorators/resource';
import { problem, wordsFor } from '../errors/catalogue';
import { nameValue, type ReportProblem } from '@sigil-mcp/base';
import { compileForms } from '../members/check-forms';
import { checkPlaceholders } from '../members/check-placeholders';
import { reportMember, type Member } from '../members/member';
import { scanParameters, type Parameters } from '../members/scan-parameters';
import { isAbsoluteUri } from '../registry/absolute-uri';
import { ResourceListing } from '../registry/resource-listing';
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

/** One resource to be. */
export type ResourcePlan = ContentsPlan<'resource'>;

/** What is particular to resources that are no templates. */
export const RESOURCE_RULES: EntryKindRules<ResourcePlan, ResourceFact, ResourceData> = {
  ...CONTENTS,
  kind: 'resource',
  fits: (described) => !isTemplate(described),
  checkData,
  scan: scanResource,
  listMethod: 'resources/list',
  listMember: 'resources',
  openList: ({ registry, cache, cursors, reportFailure }) =>
    new ResourceListing(registry, cache, cursors, reportFailure),
};

function checkData({ uri, list }: ResourceData, where: string, report: ReportProblem): boolean {
  if (typeof uri !== 'string') report(problem('SIGIL_RESOURCE_URI', where, { uri: nameValue(uri) }));
  else if (list) report(problem('SIGIL_LIST_WITHOUT_TEMPLATE', where, { uri: JSON.stringify(uri) }));
  return typeof uri === 'string' && !list;
}

function scanResource(member: Member, { uri, options }: ResourceFact): ResourcePlan | undefined {
  const parameters = scanParameters(member, options.input);
  const asks = compileForms(member, options.asks);
  const isInOrder = checkResource(member, uri, parameters);
  if (!checkResourceWords(member, options) || !asks || !isInOrder) return undefined;
  const definition: Resource = {
    uri,
    ...describeResource(member, options),
    ...(options.size !== undefined && { size: options.size }),
  };
  checkPlaceholders(member, definition);
  return {
    kind: 'resource',
    key: uri,
    definition,
    ...planContents(member, options, parameters),
    input: undefined,
    asks,
  };
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
