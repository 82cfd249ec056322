/**
 * What hosts, and the APIs of their models, refuse or change in what a server lists. Each row has the month in which it was seen and where
 * that is written down, because hosts change: a row that no longer holds is taken out.
 */

/** The hosts, by the names of `--hosts`: each with the API of the models that it uses by default. */
export const HOSTS = {
  claude: 'Claude',
  chatgpt: 'ChatGPT, the API of OpenAI',
  gemini: 'Gemini, Vertex AI',
  copilot: 'GitHub Copilot in VS Code',
  cursor: 'Cursor',
  codex: 'Codex',
} as const;

/** The name of a host. */
export type HostName = keyof typeof HOSTS;

/** All of them. */
export const ALL_HOSTS = Object.keys(HOSTS) as readonly HostName[];

/** What is looked for. */
export type HostTest =
  /** Keywords of an input schema: in all of it, or at its root alone. */
  | { readonly kind: 'keywords'; readonly words: readonly string[]; readonly at: 'root' | 'everywhere' }
  /** Formats of texts other than these. */
  | { readonly kind: 'formats'; readonly known: readonly string[] }
  /** A list whose items have no schema. */
  | { readonly kind: 'items' }
  /** `$schema` of an older dialect of JSON Schema. */
  | { readonly kind: 'dialect' }
  /** What the meta-schema of JSON Schema 2020-12 does not allow, such as a tuple as it was written before. */
  | { readonly kind: 'invalid' }
  /** A list of types. */
  | { readonly kind: 'types' }
  /** Names of tools, or of arguments, that do not match. */
  | { readonly kind: 'names'; readonly of: 'tools' | 'arguments'; readonly pattern: RegExp; readonly wanted: string }
  /** Names of tools that are too long with what the host puts before them: the name of the server, and so many characters. */
  | { readonly kind: 'length'; readonly most: number; readonly added: number }
  /** How many tools a caller sees. */
  | { readonly kind: 'tools'; readonly most: number }
  /** Characters that a tool says its results may have, in `_meta`. */
  | { readonly kind: 'results'; readonly member: string; readonly most: number }
  /** Characters of a description, or of the instructions. */
  | { readonly kind: 'texts'; readonly of: 'descriptions' | 'instructions'; readonly most: number };

/** One row. */
export interface HostFact {
  /** The hosts with which the tool, or all tools of the request, cannot be used. */
  readonly refuses?: readonly HostName[];
  /** The hosts whose models read something else. */
  readonly changes?: readonly HostName[];
  readonly test: HostTest;
  /** What happens, after the name of the host: `refuses every request with such a tool`. */
  readonly says: string;
  readonly fix: string;
  /** The month in which it was seen, and where that is written down. */
  readonly seen: readonly [month: string, source: string];
}

const IN_WORDS =
  'Most hosts take such words out before they send a tool. For one that does not, check it in the handler, or with a rule of your own, and say it in the description.';
const VALID =
  'Write a schema of JSON Schema 2020-12: prefixItems for a tuple, a number for exclusiveMinimum, a list of names for required.';
const SHORTER = 'Shorten the name of the tool or of the server.';
const FEWER = "Hide tools that a caller does not need (@Scopes('...', { listed: false })), or offer a toolset.";

/** Every row. */
export const HOST_FACTS: readonly HostFact[] = [
  {
    refuses: ['claude'],
    test: { kind: 'keywords', words: ['oneOf', 'anyOf', 'allOf'], at: 'root' },
    says: 'refuses every request with such a tool',
    fix: 'Give the root of the schema `properties` alone: put the alternatives into a property, or check them in the handler.',
    seen: ['2026-03', 'https://github.com/anthropics/claude-code/issues/40075'],
  },
  {
    refuses: ['claude'],
    test: { kind: 'dialect' },
    says: 'takes JSON Schema 2020-12 alone, and refuses every request with such a tool, or the tool',
    fix: 'Leave out $schema, and write what 2020-12 has in place of older keywords.',
    seen: ['2026-09', 'https://github.com/ankimcp/anki-mcp-server-addon/issues/75'],
  },
  {
    refuses: ['claude'],
    test: { kind: 'invalid' },
    says: 'refuses every request with a tool whose schema is not valid',
    fix: VALID,
    seen: ['2026-08', 'https://github.com/kintone/mcp-server/issues/547'],
  },
  {
    refuses: ['chatgpt', 'codex'],
    test: { kind: 'invalid' },
    says: 'refuses every request with a tool whose schema is not valid',
    fix: VALID,
    seen: ['2026-05', 'https://github.com/smallmain/vscode-unify-chat-provider/issues/162'],
  },
  {
    changes: ['claude'],
    test: { kind: 'keywords', words: ['$ref'], at: 'everywhere' },
    says: 'follows references, but takes none in the tools of managed agents',
    fix: 'Write the schema where it is used. One that contains itself needs an end: a list of ids, or a depth.',
    seen: ['2026-09', 'https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes'],
  },
  {
    refuses: ['claude'],
    test: {
      kind: 'names',
      of: 'tools',
      pattern: /^[A-Za-z0-9_-]+$/,
      wanted: 'letters, digits, _ and -',
    },
    says: 'refuses every request with such a tool',
    fix: 'Write the name with letters, digits, _ and - alone.',
    seen: ['2026-03', 'https://github.com/github/copilot-cli/issues/1879'],
  },
  {
    refuses: ['claude'],
    test: {
      kind: 'names',
      of: 'arguments',
      pattern: /^[A-Za-z0-9_.-]{1,64}$/,
      wanted: 'at most 64 letters, digits, _, . and -',
    },
    says: 'refuses every request with such a tool',
    fix: 'Rename the argument.',
    seen: ['2026-09', 'https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes'],
  },
  {
    refuses: ['claude'],
    test: { kind: 'length', most: 64, added: 'mcp____'.length },
    says: 'writes mcp__, the server and __ before the name, and refuses more than 64 characters',
    fix: SHORTER,
    seen: ['2026-01', 'https://github.com/Yeachan-Heo/oh-my-claudecode/issues/241'],
  },
  {
    changes: ['claude'],
    test: { kind: 'texts', of: 'descriptions', most: 2048 },
    says: 'cuts descriptions at 2,048 characters in Claude Code',
    fix: 'Put what matters at the beginning, and say the rest in a resource or a prompt.',
    seen: ['2026-03', 'https://github.com/anthropics/claude-code/issues/39106'],
  },
  {
    changes: ['claude'],
    test: { kind: 'texts', of: 'instructions', most: 2048 },
    says: 'cuts instructions at 2,048 characters in Claude Code',
    fix: 'Put what matters at the beginning, and say the rest in a resource or a prompt.',
    seen: ['2026-03', 'https://github.com/anthropics/claude-code/issues/39106'],
  },
  {
    changes: ['claude'],
    test: { kind: 'results', member: 'anthropic/maxResultSizeChars', most: 500_000 },
    says: 'writes results of more than 25,000 tokens to a file in Claude Code, and those of more than 500,000 characters always',
    fix: 'Say at most 500000, and answer in pages.',
    seen: ['2026-09', 'https://github.com/es617/obsidian-sync-mcp/pull/23'],
  },
  {
    refuses: ['chatgpt', 'codex'],
    test: {
      kind: 'names',
      of: 'tools',
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      wanted: 'at most 64 letters, digits, _ and -',
    },
    says: 'refuses every request with such a tool',
    fix: 'Write the name with at most 64 letters, digits, _ and -.',
    seen: ['2026-01', 'https://github.com/nanbingxyz/5ire/issues/403'],
  },
  {
    refuses: ['chatgpt', 'codex'],
    test: { kind: 'tools', most: 128 },
    says: 'refuses requests with more than 128 tools',
    fix: FEWER,
    seen: ['2025-08', 'https://github.com/0x4m4/hexstrike-ai/issues/29'],
  },
  {
    refuses: ['gemini'],
    test: {
      kind: 'keywords',
      at: 'everywhere',
      words: [
        ...[
          'exclusiveMinimum',
          'exclusiveMaximum',
          'multipleOf',
          'uniqueItems',
          'const',
          'prefixItems',
          'additionalItems',
        ],
        ...['propertyNames', 'patternProperties', 'dependencies', 'dependentRequired', 'dependentSchemas'],
        ...['contentEncoding', 'contentMediaType', 'contentSchema', 'examples', 'readOnly', 'writeOnly', 'deprecated'],
        ...['$comment', '$ref', 'oneOf', 'allOf', 'not', 'if', 'contains', 'unevaluatedProperties', 'unevaluatedItems'],
      ],
    },
    says: 'has no such field in the schemas of functions, so a host that passes them on as they are gets an error for every request',
    fix: IN_WORDS,
    seen: ['2026-09', 'https://github.com/pizza-bot-app/pizza-bot/issues/62'],
  },
  {
    refuses: ['gemini'],
    test: { kind: 'types' },
    says: 'knows one type of a value, so a host that passes a list of types on as it is gets an error for every request',
    fix: 'Give the argument one type. One that may be left out need not be null: @IsOptional() without | null.',
    seen: ['2026-09', 'https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099'],
  },
  {
    refuses: ['gemini'],
    test: { kind: 'formats', known: ['date-time', 'enum'] },
    says: 'knows the formats date-time and enum of texts alone',
    fix: IN_WORDS,
    seen: ['2025-06', 'https://github.com/hideya/langchain-mcp-tools-ts/issues/36'],
  },
  {
    refuses: ['copilot'],
    test: { kind: 'items' },
    says: 'does not load a tool with a list whose items have no schema',
    fix: 'Say what the items are: @IsString({ each: true }), @Type(() => Item), or `items` in a raw schema.',
    seen: ['2025-03', 'https://github.com/microsoft/vscode/issues/244467'],
  },
  {
    refuses: ['copilot'],
    test: { kind: 'tools', most: 128 },
    says: 'sends at most 128 tools to a model',
    fix: FEWER,
    seen: ['2025-10', 'https://github.com/0x4m4/hexstrike-ai/issues/89'],
  },
  {
    refuses: ['cursor'],
    test: { kind: 'length', most: 60, added: 1 },
    says: 'leaves out tools whose name has more than 60 characters with that of the server',
    fix: SHORTER,
    seen: ['2026-02', 'https://github.com/ComposioHQ/composio/issues/2788'],
  },
  {
    refuses: ['cursor'],
    test: { kind: 'tools', most: 80 },
    says: 'uses at most 80 tools of all servers together',
    fix: FEWER,
    seen: ['2025-09', 'https://github.com/Snowflake-Labs/mcp/issues/77'],
  },
];
