/** What changes of public servers mean, as their changelogs tell them: the project and the version, what changed, the verdicts. */
import { createServer, type FeatureSource } from '@sigil-mcp/core';
import { compareContracts, contractOf, type ServerContract } from '../src';

type Json = Readonly<Record<string, unknown>>;
/** Tools by their names: what is said of each besides its handler. */
type Tools = Readonly<Record<string, Json>>;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const count = { type: 'integer' };
const listOf = (items: Json): Json => ({ type: 'array', items });
const oneOf = (...values: readonly string[]): Json => ({ type: 'string', enum: values });

/** An object; names that end in a question mark are optional. */
function object(members: Json): Json {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), members[name]])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const takes = (members: Json, more: Json = {}): Json => ({ input: object(members), ...more });
const gives = (output: Json, more: Json = {}): Json => ({ output, ...more });

function contract(tools: Tools): ServerContract {
  const features = Object.entries(tools).map(([name, said]) => ({
    kind: 'tool',
    name,
    description: `Does ${name}`,
    handler: () => 'done',
    ...said,
  })) as unknown as FeatureSource[];
  return contractOf(createServer({ name: 'public', version: '1.0.0', logger: false, features }).describe());
}

type Row = readonly [project: string, change: string, before: Tools, after: Tools, expected: readonly string[]];

const [B, S, C] = ['breaking', 'security', 'compatible'];
/** An argument with another name, both optional. */
const renamed = (old: string, now: string): string[] => [`${B} input-property ${old}`, `${C} input-property ${now}`];
/** A required argument with another name. */
const renamedRequired = (old: string, now: string): string[] => [
  `${B} input-required ${now}`,
  `${B} input-property ${old}`,
  `${C} input-required ${old}`,
  `${C} input-property ${now}`,
];
const GONE = `${B} entry-gone`;
const NEW = `${C} entry-new`;

const TIER = { account: text, container: text, tier: text };
const REVIEW = { owner: text, repo: text, pullNumber: count };
const ISSUE = { owner: text, repo: text, issue_number: count };
const REPO = { name: text, 'private?': flag };
const COMMENT = { number: count, body: text };
const COLUMNS = { fromTable: text, toTable: text, 'active?': flag };
const ACCOUNT = object({ name: text, 'location?': text });
const CHART = { 'chart_type?': text, 'title?': text };

const AZURE: readonly Row[] = [
  ['Azure 0.5.13', 'a tool for databases', { list: {} }, { list: {}, add: takes({ app: text }) }, [NEW]],
  [
    'Azure 0.5.13',
    'options of an account that are always the same now',
    { create: takes({ account: text, 'kind?': text, 'allow-blob-public-access?': flag }) },
    { create: takes({ account: text }) },
    [`${B} input-property kind`, `${B} input-property allow-blob-public-access`],
  ],
  [
    'Azure 0.5.13',
    'an upload that overwrites nothing any more',
    { upload: takes({ file: text, 'overwrite?': flag }, { destructive: true }) },
    { upload: takes({ file: text }, { destructive: false }) },
    [`${C} destructive`, `${B} input-property overwrite`],
  ],
  [
    'Azure 0.5.8',
    'account-name becomes account',
    { create: takes({ 'account-name': text, location: text }) },
    { create: takes({ account: text, location: text }) },
    renamedRequired('account-name', 'account'),
  ],
  [
    'Azure 0.5.8',
    'blob-names becomes blobs',
    { 'set-tier': takes({ ...TIER, 'blob-names': listOf(text) }) },
    { 'set-tier': takes({ ...TIER, blobs: listOf(text) }) },
    renamedRequired('blob-names', 'blobs'),
  ],
  [
    'Azure 0.5.8',
    'better descriptions for the grouping of tools',
    { bestpractices: {} },
    { bestpractices: { description: 'Best practices of Azure for code, deployment and operation' } },
    [`${S} words`],
  ],
  [
    'Azure 0.5.5',
    'accounts are objects, no texts any more',
    { list: gives(object({ accounts: listOf(text) })) },
    { list: gives(object({ accounts: listOf(ACCOUNT) })) },
    [`${B} output-type accounts[]`, `${C} output-type accounts[]`],
  ],
  [
    'Azure 0.5.5',
    'tools that create and set say that they are destructive',
    { set: { destructive: false } },
    { set: { destructive: true } },
    [`${S} destructive`],
  ],
  [
    'Azure 0.5.4',
    'subscription for subscriptionId',
    { list: takes({ 'subscriptionId?': text }) },
    { list: takes({ 'subscription?': text }) },
    renamed('subscriptionId', 'subscription'),
  ],
  [
    'Azure 0.5.3',
    'a content type and tags for settings',
    { set: takes({ key: text, value: text }) },
    { set: takes({ key: text, value: text, 'content-type?': text, 'tags?': listOf(text) }) },
    [`${C} input-property content-type`, `${C} input-property tags`],
  ],
  [
    'Azure 0.5.3',
    'paths in a folder, and below it',
    { paths: takes({ account: text }) },
    { paths: takes({ account: text, 'filter-path?': text, 'recursive?': flag }) },
    [`${C} input-property filter-path`, `${C} input-property recursive`],
  ],
  [
    'Azure 0.5.3',
    'two arguments lose -name',
    { query: takes({ 'cluster-name?': text, 'database-name?': text }) },
    { query: takes({ 'cluster?': text, 'database?': text }) },
    [
      `${B} input-property cluster-name`,
      `${B} input-property database-name`,
      `${C} input-property cluster`,
      `${C} input-property database`,
    ],
  ],
  [
    'Azure 0.5.2',
    'no partner-tenant-id any more',
    { product: takes({ id: text, 'partner-tenant-id?': text }) },
    { product: takes({ id: text }) },
    [`${B} input-property partner-tenant-id`],
  ],
  ['Azure 0.5.1', 'no secret and no key is read any more', { list: {}, get: {} }, { list: {} }, [GONE]],
  [
    'Azure 0.5.1',
    'a subscription of the environment',
    { list: takes({ subscription: text }) },
    { list: takes({ 'subscription?': text }) },
    [`${C} input-required subscription`],
  ],
  [
    'Azure 0.5.0',
    'one tool for best practices, with a resource and an action',
    { general: {}, functions: {} },
    { get: takes({ resource: oneOf('general', 'azurefunctions'), action: oneOf('code-generation', 'deployment') }) },
    [GONE, GONE, NEW],
  ],
  ['Azure 0.4.1', 'the name of a tool', { 'bestpractices-get': {} }, { 'bestpractices-general-get': {} }, [GONE, NEW]],
  [
    'Azure 3.0.0',
    'arguments that nobody used',
    { quota: takes({ region: text, 'retries?': count }) },
    { quota: takes({ region: text }) },
    [`${B} input-property retries`],
  ],
];

const OTHERS: readonly Row[] = [
  [
    'GitHub 0.19',
    'tools for issues become one that has a method',
    { get_issue: takes(ISSUE), get_issue_comments: takes(ISSUE) },
    { issue_read: takes({ ...ISSUE, method: oneOf('get', 'get_comments') }) },
    [GONE, GONE, NEW],
  ],
  [
    'GitHub 0.19',
    'a method more of a tool',
    { pull_request_read: takes({ ...REVIEW, method: oneOf('get', 'get_diff') }) },
    { pull_request_read: takes({ ...REVIEW, method: oneOf('get', 'get_diff', 'get_comments') }) },
    [`${C} input-values method`],
  ],
  [
    'GitHub 0.19',
    'labels of repositories alone',
    { list_labels: takes({ owner: text, repo: text, 'issue_number?': count }) },
    { list_labels: takes({ owner: text, repo: text }) },
    [`${B} input-property issue_number`],
  ],
  [
    'Gitee 1.0.0',
    'three tools become one with the type of the owner',
    { create_user_repo: takes(REPO), create_org_repo: takes(REPO) },
    { create_repo: takes({ ...REPO, owner_type: oneOf('user', 'org', 'enterprise') }) },
    [GONE, GONE, NEW],
  ],
  [
    'Gitee 1.0.0',
    'comments say what they are on',
    { create_comment: takes(COMMENT) },
    { create_comment: takes({ ...COMMENT, resource_type: oneOf('issue', 'pull') }) },
    [`${B} input-required resource_type`, `${C} input-property resource_type`],
  ],
  [
    'OrionBelt 1.5.3',
    'a cache that is one of three',
    { clear: takes({ cache_type: text }) },
    { clear: takes({ cache_type: oneOf('schema', 'ontology', 'all') }) },
    [`${B} input-values cache_type`],
  ],
  [
    'Notebook 0.3.14',
    'type is called source_type',
    { source_add: takes({ type: text }) },
    { source_add: takes({ source_type: text }) },
    renamedRequired('type', 'source_type'),
  ],
  ['Browserbase 3.0.0', 'short names', { browserbase_stagehand_act: {} }, { act: {} }, [GONE, NEW]],
  ['Browserbase 3.0.0', 'no screenshot any more', { act: {}, screenshot: {} }, { act: {} }, [GONE]],
  [
    'Browserbase 3.0.0',
    'no variables any more',
    { act: takes({ action: text, 'variables?': { type: 'object' } }) },
    { act: takes({ action: text }) },
    [`${B} input-property variables`],
  ],
  [
    'Browserbase 3.0.0',
    'an instruction that may be left out',
    { extract: takes({ instruction: text }) },
    { extract: takes({ 'instruction?': text }) },
    [`${C} input-required instruction`],
  ],
  [
    'Browserbase 3.0.0',
    'another model, if none is named',
    { start: takes({ 'model?': { ...text, default: 'gemini-2.0-flash' } }) },
    { start: takes({ 'model?': { ...text, default: 'google/gemini-2.5-flash-lite' } }) },
    [`${B} input-default model`],
  ],
  ['VMware Monitor 2.0.0', 'the verb comes first', { vm_info: {} }, { get_vm_info: {} }, [GONE, NEW]],
  [
    'Excel 1.7.0',
    'the session knows the file',
    { range: takes({ sessionId: text, excelPath: text }) },
    { range: takes({ sessionId: text }) },
    [`${C} input-required excelPath`, `${B} input-property excelPath`],
  ],
  [
    'Excel 1.7.0',
    'names of actions',
    { relationship: takes({ action: oneOf('list', 'read') }) },
    { relationship: takes({ action: oneOf('list-relationships', 'read-relationship') }) },
    [`${B} input-values action`, `${C} input-values action`],
  ],
  [
    'Excel 1.7.0',
    'shorter names of arguments',
    { relationship: takes({ ...COLUMNS, 'fromColumnName?': text }) },
    { relationship: takes({ ...COLUMNS, 'fromColumn?': text }) },
    renamed('fromColumnName', 'fromColumn'),
  ],
  [
    'Excel 2.0.0',
    'no action close-workbook any more',
    { file: takes({ action: oneOf('open', 'close', 'close-workbook') }) },
    { file: takes({ action: oneOf('open', 'close') }) },
    [`${B} input-values action`],
  ],
  [
    'Excel 2.0.0',
    'a time limit in whole seconds',
    { refresh: takes({ 'timeout?': { type: 'number' } }) },
    { refresh: takes({ 'timeout?': { type: 'integer', minimum: 1 } }) },
    [`${B} input-minimum timeout`, `${B} input-step timeout`],
  ],
  [
    'Excel 2.0.0',
    'a preview of a formula instead of all of it',
    { list: gives(object({ name: text, Formula: text })) },
    { list: gives(object({ name: text, FormulaPreview: text })) },
    [
      `${B} output-required Formula`,
      `${B} output-type Formula`,
      `${C} output-required FormulaPreview`,
      `${C} output-type FormulaPreview`,
    ],
  ],
  [
    'Excel, unreleased',
    'session_id in results',
    { open: gives(object({ sessionId: text })) },
    { open: gives(object({ session_id: text })) },
    [
      `${B} output-required sessionId`,
      `${B} output-type sessionId`,
      `${C} output-required session_id`,
      `${C} output-type session_id`,
    ],
  ],
  [
    'Excel, unreleased',
    'what only reads has a tool of its own',
    { file: takes({ action: oneOf('open', 'list', 'test') }) },
    { file: takes({ action: oneOf('open') }), file_read: takes({ action: oneOf('list', 'test') }, { readOnly: true }) },
    [`${B} input-values action`, NEW],
  ],
  [
    'Excel, unreleased',
    'a picture only reads',
    { screenshot: {} },
    { screenshot: { readOnly: true } },
    [`${C} destructive`, `${C} idempotent`, `${C} read-only`],
  ],
  [
    'OrionBelt 1.5.3',
    'only known kinds of charts',
    { chart: takes(CHART) },
    { chart: takes({ ...CHART, 'chart_type?': oneOf('bar', 'line') }) },
    [`${B} input-values chart_type`],
  ],
  [
    'OrionBelt 1.5.3',
    'free text has a limit',
    { chart: takes(CHART) },
    { chart: takes({ ...CHART, 'title?': { ...text, maxLength: 200 } }) },
    [`${B} input-maxSize title`],
  ],
  [
    'OrionBelt 1.5.3',
    'no separators in the name of a model',
    { save: takes({ model_name: text }) },
    { save: takes({ model_name: { ...text, pattern: '^[^/\\\\]+$' } }) },
    [`${B} input-pattern model_name`],
  ],
  [
    'Playwright 0.0.79',
    'a format more of pictures',
    { browser_take_screenshot: takes({ 'type?': oneOf('png', 'jpeg') }) },
    { browser_take_screenshot: takes({ 'type?': oneOf('png', 'jpeg', 'webp') }) },
    [`${C} input-values type`],
  ],
  [
    'Datus',
    'one metric that is named, no list of any',
    { get_dimension_values: takes({ dimension: text, 'metrics?': listOf(text) }) },
    { get_dimension_values: takes({ dimension: text, metric_name: text }) },
    [`${B} input-required metric_name`, `${B} input-property metrics`, `${C} input-property metric_name`],
  ],
  [
    'PlayMCP 3.0.0',
    'fullPage for a type',
    { screenshot: takes({ 'type?': oneOf('page', 'element') }) },
    { screenshot: takes({ 'fullPage?': flag }) },
    renamed('type', 'fullPage'),
  ],
  [
    'Apollo 1.3.0',
    'queries say that they destroy nothing, which read-only has said before',
    { query: { readOnly: true } },
    { query: { readOnly: true, destructive: false } },
    [],
  ],
  [
    'flatten-mcp 2.5.0',
    'results with a schema',
    { flatten: {} },
    { flatten: gives(object({ id: text })) },
    [`${C} output-new`],
  ],
  [
    'things-mcpb 1.5.0',
    'hints for the first time',
    { add: {} },
    { add: { destructive: false, idempotent: false } },
    [`${C} destructive`],
  ],
];

it.each([...AZURE, ...OTHERS])('%s: %s', (_project, _change, before, after, expected) => {
  const changes = compareContracts(contract(before), contract(after));
  expect(changes.map(({ level, code, path }) => [level, code, path].filter(Boolean).join(' ')).sort()).toEqual(
    [...expected].sort(),
  );
});
