import fc from 'fast-check';
import { stringify as stringifyToml } from 'smol-toml';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import type { Place, SettingsFormat, WrittenServer } from '../src/client';
import { findServer, serverNames, withoutServer, withServer, type SettingsText } from '../src/edit/edit-settings';

const place = (format: SettingsFormat, more: Partial<Place> = {}): Place => ({
  format,
  container: 'servers',
  path: {},
  secrets: 'value',
  ...more,
});

const settings = (format: SettingsFormat, text: string, more: Partial<Place> = {}): SettingsText => ({
  file: `settings.${format}`,
  place: place(format, more),
  text,
});

const notes: WrittenServer = { entry: { command: 'node', args: ['a.js'] }, inputs: [], secrets: [] };

const add = (format: SettingsFormat, text: string, more: Partial<Place> = {}): string =>
  withServer(settings(format, text, more), 'notes', notes);
const remove = (format: SettingsFormat, text: string, more: Partial<Place> = {}): string =>
  withoutServer(settings(format, text, more), 'notes');

/** Files as people write them, with the server `a`. */
const FILES = [
  ['JSON', 'json', '{\n    "theme": "dark",\n    "servers": {\n        "a": { "command": "x" }\n    }\n}\n'],
  ['JSON without a line end', 'json', '{"servers":{"a":{"command":"x"}},"last":1}'],
  ['JSON with tabs and CRLF', 'json', '{\r\n\t"servers": {\r\n\t\t"a": { "command": "x" }\r\n\t}\r\n}\r\n'],
  [
    'JSON with comments',
    'jsonc',
    '// mine\n{\n  /* all */ "servers": {\n    // the first\n    "a": { "command": "x" }, // it works, "really"\n  },\n  "theme": "dark", // not light\n}\n',
  ],
  [
    'JSON with a comment after the last server',
    'jsonc',
    '{\n  "servers": {\n    "a": { "command": "x" } // no comma here\n    // and one below\n  }\n}\n',
  ],
  [
    'TOML',
    'toml',
    '# mine\nmodel = "o" # why\n\n[servers.a]\ncommand = "x" # c\n\n# about the next one\n[other]\ny = 1\n',
  ],
  ['TOML with CRLF', 'toml', '[servers.a]\r\ncommand = "x"\r\n'],
  [
    'YAML',
    'yaml',
    'provider: x  # mine\nservers:\n    a:\n        command: x   # yes\n        args: ["1",   "2"]\n# below\nlast: 1\n',
  ],
  ['YAML without a last line end', 'yaml', 'servers:\n  a:\n    command: x'],
  ['a YAML list', 'yaml', '# top\nservers:\n- name: a\n  command: "x"\n\nmodels: []\n', { isList: true }],
  [
    'a YAML list with dashes alone and blocks of a hub',
    'yaml',
    'servers:\n  -\n    name: a\n    command: x\n  - uses: x/memory # a - b\n  - # mine\n    uses: y\nmodels: []\n',
    { isList: true },
  ],
  ['an indented YAML list', 'yaml', 'servers:\n    - name: a\n      command: x\nmodels: []\n', { isList: true }],
] as const;

/** Four values each, so that jest does not pass a callback. */
const CASES = FILES.map(([name, format, text, more = {}]): [string, SettingsFormat, string, Partial<Place>] => [
  name,
  format,
  text,
  more,
]);

describe('Settings with a new server', () => {
  it.each(CASES)('keep every line of %s', (_, format, text, more) => {
    const after = add(format, text, more);
    expect(serverNames(settings(format, after, more))).toEqual(['a', 'notes']);
    expect(findServer(settings(format, after, more), 'notes')).toMatchObject(notes.entry);
    if (!text.includes('\n')) return;
    const lines = new Set(after.split(/\r?\n/).map((line) => line.replace(/,(?=\s*(?:\/\/|$))/, '')));
    const lost = text.split(/\r?\n/).filter((line) => !lines.has(line.replace(/,(?=\s*(?:\/\/|$))/, '')));
    expect(lost).toEqual([]);
    if (text.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each(CASES)('are the same as before once it is removed: %s', (_, format, text, more) => {
    const before = text.endsWith('\n') || format === 'json' ? text : `${text}\n`;
    expect(remove(format, add(format, text, more), more)).toBe(before);
  });

  it.each(CASES)('do not change if it is added again: %s', (_, format, text, more) => {
    const once = add(format, text, more);
    expect(add(format, once, more)).toBe(once);
  });

  it.each(['json', 'jsonc', 'toml', 'yaml'] as const)('may be an empty file: %s', (format) => {
    for (const text of ['', '\n']) {
      const after = add(format, text);
      expect(serverNames(settings(format, after))).toEqual(['notes']);
      expect(serverNames(settings(format, remove(format, after)))).toEqual([]);
    }
  });

  it.each([
    ['toml', 'a = 1\n\n\n', 'a = 1\n\n\n'],
    ['yaml', '# mine\na: 1\n\n', '# mine\na: 1\nservers: {}\n\n'],
    ['yaml', 'a: 1\nservers: # none yet\nb: 2\n', 'a: 1\nservers: {} # none yet\nb: 2\n'],
    ['yaml', 'servers: ~ # none yet\n', 'servers: {} # none yet\n'],
    ['yaml', 'servers: {} # none yet\n', 'servers: {} # none yet\n'],
    ['yaml', 'servers: {}', 'servers: {}\n'],
    ['yaml', 'a: 1\nservers:', 'a: 1\nservers: {}\n'],
  ] as const)('without servers are the same but for an empty place: %s %j', (format, text, expected) => {
    const after = remove(format, add(format, text));
    expect(after).toBe(expected);
    expect(remove(format, add(format, after))).toBe(expected);
  });

  it.each([
    ['json', '{ "servers": {} }'],
    ['jsonc', '{\n  "servers": {\n    // none yet\n  }\n}\n'],
    ['yaml', 'servers: {}\nlast: 1 # kept\n'],
    ['yaml', 'servers:\nlast: 1 # kept\n'],
    ['yaml', 'servers: { a: { command: x } } # kept\n'],
  ] as const)('may have no servers yet, or servers in braces: %s %j', (format, text) => {
    const after = add(format, text);
    expect(findServer(settings(format, after), 'notes')).toMatchObject(notes.entry);
    for (const [comment] of text.matchAll(/(?:\/\/|#).*$/gm)) expect(after).toContain(comment);
  });

  it.each([
    ['no members', 'a: 1\n', 'a: 1\nservers:\n  - name: notes\n    command: node\n    args:\n      - a.js\n'],
    [
      'an empty member',
      'servers: # mine\n',
      'servers: # mine\n  - name: notes\n    command: node\n    args:\n      - a.js\n',
    ],
    ['members in braces', '{ a: 1 }\n', '{ a: 1, servers: [ { name: notes, command: node, args: [ a.js ] } ] }\n'],
  ])('may be a list that is not there yet: %s', (_, text, expected) => {
    const once = add('yaml', text, { isList: true });
    expect(once).toBe(expected);
    expect(add('yaml', once, { isList: true })).toBe(once);
    expect(serverNames(settings('yaml', remove('yaml', once, { isList: true }), { isList: true }))).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['a line end', '\n'],
    ['a comment', '# mine\n'],
    ['empty braces', '{}\n'],
  ])('have the members of a new file if there is no other: %s', (_, text) => {
    const more = { isList: true, header: { title: 'Local Agent', version: '1.0.0' } };
    const once = add('yaml', text, more);
    expect(parseYaml(once)).toEqual({ ...more.header, servers: [{ name: 'notes', ...notes.entry }] });
    if (text.startsWith('#')) expect(once.startsWith(text)).toBe(true);
    expect(add('yaml', once, more)).toBe(once);
    expect(add('yaml', 'a: 1\n', more)).not.toContain('Local Agent');
  });

  it.each([
    ['servers:\n  -\n    name: notes\n    command: x\n  - uses: x\n', 'servers:\n  - uses: x\n'],
    ['servers:\n  - uses: x\n  - # mine\n    name: notes\n', 'servers:\n  - uses: x\n'],
    ['servers:\n  -\n    name: notes\nlast: 1\n', 'servers: []\nlast: 1\n'],
    ['servers: [ { name: notes }, { uses: x } ]\n', 'servers: [ { uses: x } ]\n'],
    ['servers:\n  - uses: x\n  - name: 1\n', 'servers:\n  - uses: x\n  - name: 1\n'],
  ])('lose one of a list, and no element without a name: %j', (text, expected) => {
    expect(remove('yaml', text, { isList: true })).toBe(expected);
    for (const name of ['undefined', '1'])
      expect(withoutServer(settings('yaml', text, { isList: true }), name)).toBe(text);
  });

  it.each<[string, SettingsFormat, string, string, Partial<Place>?]>([
    [
      'at the end of TOML',
      'toml',
      '[servers.notes]\nurl = "x" # mine\n\n# [servers.b]\n# command = "npx"\n\n',
      '# [servers.b]\n# command = "npx"\n\n',
    ],
    [
      'directly below the last line of TOML',
      'toml',
      '[a]\nx = 1\n\n[servers.notes]\nurl = "x"\n# [servers.b]\n# command = "npx"',
      '[a]\nx = 1\n\n# [servers.b]\n# command = "npx"',
    ],
    [
      'between two tables of TOML',
      'toml',
      '[a]\r\nx = 1\r\n\r\n[servers.notes]\r\n[servers.notes.env]\r\nA = """\r\n# text\r\n"""\r\n\r\n# [b]\r\n\r\n  # [c]\r\n\r\n# of d\r\n[d]\r\n',
      '[a]\r\nx = 1\r\n\r\n# [b]\r\n\r\n  # [c]\r\n\r\n# of d\r\n[d]\r\n',
    ],
    [
      'between tables of the server and of others in TOML',
      'toml',
      '[servers.notes]\nurl = "x"\n\n# of a\n[servers.a]\nx = 1\n\n[servers.notes.env]\nA = "1"\n\n# [b]\n',
      '# of a\n[servers.a]\nx = 1\n\n# [b]\n',
    ],
    [
      'in YAML',
      'yaml',
      'servers:\n  # of notes\n  notes:\n    command: x\n\n  # b:\n  #   command: y\n\n# of last\nlast: 1\n',
      'servers: {}\n  # of notes\n\n  # b:\n  #   command: y\n\n# of last\nlast: 1\n',
    ],
    [
      'in a YAML list',
      'yaml',
      'servers:\n  - name: notes\n    command: x\n  # - name: b\n\n  # of a\n  - name: a\n  # - name: c\n',
      'servers:\n  # - name: b\n\n  # of a\n  - name: a\n  # - name: c\n',
      { isList: true },
    ],
    [
      'in JSON',
      'jsonc',
      '{\n  "servers": {\n    "notes": { "command": "x" },\n    // "b": {}\n\n    // of a\n    "a": {}\n    // "c": {}\n  }\n}\n',
      '{\n  "servers": {\n    // "b": {}\n\n    // of a\n    "a": {}\n    // "c": {}\n  }\n}\n',
    ],
  ])('keep every comment outside of a server that is removed: %s', (_, format, text, expected, more = {}) => {
    expect(remove(format, text, more)).toBe(expected);
  });

  it('may have integers of TOML that are no numbers of JavaScript', () => {
    const text = 'id = 9223372036854775807\n\n[servers.notes]\ncommand = "x"\nseed = 9007199254740993\n';
    const after = add('toml', text);
    expect(after).toBe(`${text.replace('"x"', '"node"')}args = [ "a.js" ]\n`);
    expect(remove('toml', after)).toBe('id = 9223372036854775807\n');
  });

  it.each([
    ['jsonc', '// mine\n/* all */\n', '// mine\n/* all */\n{'],
    ['jsonc', '// mine', '// mine\n{'],
    ['json', '{ "a": 1, "servers": null }\n', '{ "a": 1, "servers": {'],
    ['jsonc', '{\n  "servers": null, // mine\n  "a": 1\n}\n', '{\n  "servers": {'],
    ['json', 'null\n', '{'],
  ] as const)('may have comments alone, or null in place of an object: %s %j', (format, text, start) => {
    const once = add(format, text);
    expect(once.startsWith(start)).toBe(true);
    expect(findServer(settings(format, once), 'notes')).toEqual(notes.entry);
    expect(add(format, once)).toBe(once);
    const none = remove(format, once);
    expect(serverNames(settings(format, none))).toEqual([]);
    for (const [comment] of text.matchAll(/\/\/.*$|\/\*.*\*\/|"a": 1/gm)) expect(none).toContain(comment);
  });

  it('may have null in place of the questions of VS Code', () => {
    const input = { type: 'promptString', id: 'notes-key', description: 'KEY', password: true } as const;
    const written = { entry: { command: 'x', env: { KEY: '${input:notes-key}' } }, inputs: [input], secrets: [] };
    const text = '{\n  "inputs": null, // mine\n  "servers": null\n}\n';
    const once = withServer(settings('jsonc', text), 'notes', written);
    expect(once).toContain('], // mine\n');
    expect(withServer(settings('jsonc', once), 'notes', written)).toBe(once);
    expect(remove('jsonc', once)).toBe(text.replaceAll('null, //', '[], //').replace('null', '{}'));
  });

  it('may have a text that looks like a table', () => {
    const text = '[servers.a]\ncommand = """\n[servers.notes]\n"""\n';
    const after = add('toml', text);
    expect(after.startsWith(text)).toBe(true);
    expect(add('toml', after)).toBe(after);
    expect(remove('toml', after)).toBe(text);
  });

  it('keep what a user has added to the server, and its other variables', () => {
    const text = '{"servers":{"notes":{"command":"old","url":"http://x","disabled":true,"env":{"A":"1","B":"2"}}}}';
    const written = { ...notes, entry: { ...notes.entry, env: { B: '3' } } };
    expect(JSON.parse(withServer(settings('json', text), 'notes', written))).toEqual({
      servers: { notes: { command: 'node', args: ['a.js'], disabled: true, env: { A: '1', B: '3' } } },
    });
  });

  it('have the questions of VS Code once, and lose them with their last server', () => {
    const input = { type: 'promptString', id: 'notes-key', description: 'KEY', password: true } as const;
    const written: WrittenServer = {
      entry: { command: 'x', env: { KEY: '${input:notes-key}' } },
      inputs: [input],
      secrets: [],
    };
    const text = '{\n  "inputs": [{ "id": "mine" }], // mine\n  "servers": {}\n}\n';
    const once = withServer(settings('jsonc', text), 'notes', written);
    expect(withServer(settings('jsonc', once), 'notes', written)).toBe(once);
    expect(once).toContain('notes-key",');
    const twice = withServer(settings('jsonc', once), 'other', written);
    expect(withoutServer(settings('jsonc', twice), 'notes')).toContain('notes-key",');
    const none = withoutServer(settings('jsonc', withoutServer(settings('jsonc', twice), 'notes')), 'other');
    expect(none).toBe(text);
  });

  it('hold every text as it is, also what a shell, a path or a parser would interpret', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom('&|^%"', '$(rm -rf /)', '`id`', "'; --", '..\\..', '[a]', '# x', '\u2028'),
    );
    const formats = fc.constantFrom(...CASES);
    fc.assert(
      fc.property(formats, texts, fc.array(texts), ([, format, text, more], command, args) => {
        const entry = { command, args, env: { KEY: command } };
        const after = withServer(settings(format, text, more), 'notes', { entry, inputs: [], secrets: [] });
        expect(findServer(settings(format, after, more), 'notes')).toMatchObject(entry);
        expect(findServer(settings(format, after, more), 'a')).toEqual(findServer(settings(format, text, more), 'a'));
        expect(serverNames(settings(format, remove(format, after, more), more))).toEqual(['a']);
      }),
    );
  });
});

/** What is written again over a server that is there. */
const again = (format: SettingsFormat, text: string, entry: object, more: Partial<Place> = {}): string =>
  withServer(settings(format, text, more), 'notes', { entry: { ...entry }, inputs: [], secrets: [] });

describe('A server that is installed again', () => {
  const address = { url: 'http://127.0.0.1:3000/mcp' };

  it.each<[string, SettingsFormat, string, object, string, Partial<Place>?]>([
    [
      'JSON',
      'jsonc',
      '{\n  "servers": {\n    "notes": {\n      // for the office\n      "disabled": true,\n      "command": "old", // slow\n      "cwd": "/w",\n      "autoApprove": ["a"],\n      "env": { "A": "1" /* one */ },\n    },\n  },\n}\n',
      { command: 'node', args: ['a.js'], env: { B: '2' } },
      '{\n  "servers": {\n    "notes": {\n      // for the office\n      "disabled": true,\n      "command": "node", // slow\n      "cwd": "/w",\n      "autoApprove": ["a"],\n      "env": { "A": "1", "B": "2" /* one */ },\n      "args": [\n        "a.js"\n      ],\n    },\n  },\n}\n',
    ],
    [
      'JSON with CRLF and tabs',
      'json',
      '{\r\n\t"servers": {\r\n\t\t"notes": {\r\n\t\t\t"url": "http://127.0.0.1:3000/old",\r\n\t\t\t"headers": { "X-Tenant": "a", "authorization": "b" }\r\n\t\t}\r\n\t}\r\n}\r\n',
      { ...address, headers: { Authorization: 'c' } },
      '{\r\n\t"servers": {\r\n\t\t"notes": {\r\n\t\t\t"url": "http://127.0.0.1:3000/mcp",\r\n\t\t\t"headers": { "X-Tenant": "a", "Authorization": "c" }\r\n\t\t}\r\n\t}\r\n}\r\n',
    ],
    [
      'TOML',
      'toml',
      '# mine\n[servers.notes] # the best\ncommand = "old" # slow\n  cwd = "/w"\n\n[servers.notes.env]\n# one\nA = "1"\n\n# of another\n[[other]]\nx = 1979-05-27 07:32:00\n[[other]]\n',
      { command: 'node', args: ['a.js'], env: { B: '2' } },
      '# mine\n[servers.notes] # the best\ncommand = "node" # slow\n  cwd = "/w"\n  args = [ "a.js" ]\n\n[servers.notes.env]\n# one\nA = "1"\nB = "2"\n\n# of another\n[[other]]\nx = 1979-05-27 07:32:00\n[[other]]\n',
    ],
    [
      'TOML in braces',
      'toml',
      'servers = { a = { command = "x" }, "notes" = { url = \'http://127.0.0.1:3000\', http_headers = { "X-Tenant" = "a" } } } # all\n',
      { ...address, bearer_token_env_var: 'T' },
      'servers = { a = { command = "x" }, "notes" = { url = "http://127.0.0.1:3000/mcp", http_headers = { "X-Tenant" = "a" }, bearer_token_env_var = "T" } } # all\n',
    ],
    [
      'TOML with dotted names',
      'toml',
      '[servers]\r\na.command = "x"\r\nnotes.command = "x" # why\r\nnotes.env."A.B" = \'\'\'1\'\'\'\r\n[last]\r\n',
      { command: 'node', args: [], env: { 'A.B': '2', C: '3' } },
      '[servers]\r\na.command = "x"\r\nnotes.command = "node" # why\r\nnotes.env."A.B" = "2"\r\nnotes.env.C = "3"\r\nnotes.args = []\r\n[last]\r\n',
    ],
    [
      'TOML whose server has a table of variables only',
      'toml',
      '[servers.notes.env]\nA = "1"\n',
      { command: 'node', args: [] },
      '[servers.notes]\ncommand = "node"\nargs = []\n\n[servers.notes.env]\nA = "1"\n',
    ],
    [
      'YAML',
      'yaml',
      'servers:\n    notes:   # the best\n        enabled: false   # for now\n        command:   old  # slow\n        args: [ "1",   "2" ] # two\n        envs: { A: 1 }   # one\n        timeout: 20\n# below\nlast: 1\n',
      { enabled: true, command: 'node', args: ['a.js'], envs: { B: '2' }, timeout: 300 },
      'servers:\n    notes:   # the best\n        enabled: false   # for now\n        command:   node  # slow\n        args: [ a.js ] # two\n        envs: { A: 1, B: "2" }   # one\n        timeout: 20\n# below\nlast: 1\n',
    ],
    [
      'a YAML list with CRLF',
      'yaml',
      'servers:\r\n- command: x # slow\r\n  name: notes\r\n  cwd: /w\r\n- name: a\r\n  command: y\r\n',
      address,
      'servers:\r\n- name: notes\r\n  url: http://127.0.0.1:3000/mcp\r\n- name: a\r\n  command: y\r\n',
      { isList: true },
    ],
    [
      'a YAML list with dashes alone',
      'yaml',
      'servers:\n  - uses: x\n  - # the best\n    name: notes\n    command: old # slow\n  -\n    name: a\n    command: y\n',
      { command: 'node', args: ['a.js'] },
      'servers:\n  - uses: x\n  - # the best\n    name: notes\n    command: node # slow\n    args:\n        - a.js\n  -\n    name: a\n    command: y\n',
      { isList: true },
    ],
  ])('keeps every other character of %s', (_what, format, text, entry, expected, more = {}) => {
    const once = again(format, text, entry, more);
    expect(once).toBe(expected);
    expect(again(format, once, entry, more)).toBe(expected);
  });

  it.each([
    ['to the same host', 'http://127.0.0.1:3000', { 'X-Tenant': 'a', Authorization: 'Bearer a', 'x-api-key': 'b' }],
    ['to another host, without the credentials of the old one', 'http://old', { 'X-Tenant': 'a' }],
  ])('keeps its headers %s', (_where, url, left) => {
    const headers = { 'X-Tenant': 'a', Authorization: 'Bearer a', 'x-api-key': 'b' };
    const text = JSON.stringify({ servers: { notes: { url, headers, requestOptions: { headers, timeout: 1 } } } });
    expect(JSON.parse(again('json', text, address))).toEqual({
      servers: { notes: { ...address, headers: left, requestOptions: { headers: left, timeout: 1 } } },
    });
  });

  it('has no member of the other kind, and keeps what neither kind decides', () => {
    const program = { type: 'stdio', command: 'x', args: ['y'], cwd: '/', env_vars: ['A'], disabled: true };
    const text = JSON.stringify({ servers: { notes: program } });
    const moved = again('json', text, address);
    expect(JSON.parse(moved)).toEqual({ servers: { notes: { disabled: true, ...address } } });
    const old = JSON.stringify({ servers: { notes: { url: 'http://127.0.0.1:3000/sse', trust: true } } });
    expect(JSON.parse(again('json', old, { httpUrl: address.url }))).toEqual({
      servers: { notes: { trust: true, httpUrl: address.url } },
    });
  });
});

type Members = Readonly<Record<string, unknown>>;

interface File {
  readonly before: Members;
  readonly servers: Readonly<Record<string, Members>>;
  readonly after: Members;
}

describe('Any file of settings', () => {
  const word = fc.constantFrom('a', 'b c', 'd.e', '"f"', 'g: h', "i'j", '[k]', '#l', 'm=n', 'é', '{o}', '');
  const scalar = fc.oneof(word, fc.boolean(), fc.integer({ min: -9, max: 9 }));
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(word, scalar, { maxKeys: 2 }));
  const members: fc.Arbitrary<Members> = fc.dictionary(word, value, { maxKeys: 3 });
  const servers = fc.dictionary(fc.constantFrom('one', 'two', 'three four', 'five.six'), members, {
    minKeys: 1,
    maxKeys: 3,
  });
  const file: fc.Arbitrary<File> = fc.record({ before: members, servers, after: members });
  const layout = fc.record({
    eol: fc.constantFrom('\n', '\r\n'),
    unit: fc.constantFrom('  ', '    ', '\t'),
    comment: fc.constantFrom('', ' why', ' "quoted" [x] = {'),
    isFlat: fc.boolean(),
    end: fc.constantFrom('', '\n', '\n\n'),
  });
  type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

  /** A file that is written by a library, with comments at the ends of lines. */
  const written: Readonly<Record<SettingsFormat, (file: File, layout: Layout) => string>> = {
    json: ({ before, servers: all, after }, { unit, isFlat }) =>
      JSON.stringify({ x: before, servers: all, y: after }, null, isFlat ? undefined : unit),
    jsonc: (all, how) => commented(written.json(all, how), how, (line) => /[[{,]$/.test(line), '//'),
    toml: ({ before, servers: all, after }, how) => {
      const held = Object.entries(all).map(([name, one]) => `${JSON.stringify(name)} = ${inBraces(one)}\n`);
      const flat = `${stringifyToml({ x: before })}\n[servers]\n${held.join('')}\n${stringifyToml({ y: after })}`;
      const text = how.isFlat ? flat : stringifyToml({ x: before, servers: all, y: after });
      return commented(text, how, (line) => /^\[[^[]*\]$/.test(line), '#');
    },
    yaml: ({ before, servers: all, after }, how) => {
      const head = stringifyYaml({ x: before });
      const flow = stringifyYaml(after, { collectionStyle: 'flow', lineWidth: 0 });
      const rest = how.isFlat ? `y: ${flow}` : stringifyYaml({ y: after });
      const held = stringifyYaml({ servers: all }, { indent: how.unit === '\t' ? 3 : how.unit.length });
      return commented(head + held + rest, how, (line) => /^[\w ]+:$/.test(line), '#');
    },
  };

  function inBraces(one: unknown): string {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return stringifyToml({ a: one }).slice(4).trim();
    const inside = Object.entries(one).map(([name, inner]) => `${JSON.stringify(name)} = ${inBraces(inner)}`);
    return `{ ${inside.join(', ')} }`;
  }

  function commented(text: string, { comment }: Layout, fits: (line: string) => boolean, sign: string): string {
    if (comment === '') return text;
    return text.replace(/.+/g, (line) => (fits(line) ? `${line} ${sign}${comment}` : line));
  }

  const added = { command: 'node', args: ['a b.js', '--x'], env: { KEY: '"1"' } };

  it.each(['json', 'jsonc', 'toml', 'yaml'] as const)(
    'is the same, byte for byte, after a server was installed twice and removed: %s',
    (format) => {
      fc.assert(
        fc.property(file, layout, (all, how) => {
          const text =
            written[format](all, how).trimEnd().replaceAll('\n', how.eol) + how.eol + how.end.replaceAll('\n', how.eol);
          const once = again(format, text, added);
          expect(again(format, once, added)).toBe(once);
          expect(remove(format, once)).toBe(text);
        }),
        { numRuns: 100 },
      );
    },
  );

  it.each(['json', 'jsonc', 'toml', 'yaml'] as const)(
    'keeps the members that a user has added, and what stands beside them, when a server is installed again: %s',
    (format) => {
      fc.assert(
        fc.property(file, layout, (all, how) => {
          const own = { autoApprove: ['x'], ...added, disabled: true };
          const text = written[format]({ ...all, servers: { ...all.servers, notes: own } }, how).replaceAll(
            '\n',
            how.eol,
          );
          const changed = again(format, text, { ...added, command: 'deno', env: { OTHER: '2' } });
          expect(findServer(settings(format, changed), 'notes')).toEqual({
            ...own,
            command: 'deno',
            env: { KEY: '"1"', OTHER: '2' },
          });
          const back = again(format, changed, added);
          expect(back.split(/\s*OTHER|"OTHER/)[0]?.startsWith(text.split('KEY')[0] ?? '-')).toBe(true);
          expect(again(format, text, added)).toBe(text);
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe('A file that is refused', () => {
  it.each([
    [
      'json',
      '{\n  "servers": {\n    "a": {}\n    "b": {}\n  }\n}',
      'settings.json:4 is not valid: comma expected at "\\"b\\"".',
    ],
    [
      'json',
      '{\n  // no comments here\n}',
      'settings.json:2 is not valid: invalid comment token at "// no comments here".',
    ],
    ['json', '{\n  "servers": {},\n}', 'settings.json:3 is not valid'],
    ['json', '<<<<<<< HEAD\n{}', 'settings.json:1 is not valid'],
    ['jsonc', '{ "servers": {', 'settings.jsonc:1 is not valid'],
    ['toml', 'a = 1\nb = \n', 'settings.toml:2 is not valid'],
    ['yaml', 'a: 1\nb: [1\nc: 2\n', 'settings.yaml:3 is not valid'],
  ] as const)('has a mistake: %s %j', (format, text, message) => {
    expect(() => add(format, text)).toThrow(message);
    expect(() => remove(format, text)).toThrow(message);
  });

  it.each([
    ['json', '[]', 'The file is not an object'],
    ['json', '{ "servers": [] }', '"servers" is not an object'],
    ['json', '{ "servers": { "a": "x" } }', '"servers.a" is not an object'],
    ['toml', 'servers = 1\n', '"servers" is not an object'],
    ['yaml', 'just a text\n', 'The file is not an object'],
    ['yaml', 'servers: [x]\n', '"servers" is not an object'],
  ] as const)('is no settings file: %s %j', (format, text, message) => {
    expect(() => add(format, text)).toThrow(message);
  });

  it('has a list with something other than servers', () => {
    for (const text of ['servers: [x]\n', 'servers:\n  - name: a\n  - [b]\n'])
      expect(() => add('yaml', text, { isList: true })).toThrow('"servers" is not a list of servers');
  });

  it.each([
    ['json', '{ "servers": {}, "servers": { "a": {} } }'],
    ['toml', '[servers.notes]\nenv = 1\n[[servers.notes.args]]\na = 1\n'],
  ] as const)('cannot be changed without touching other lines: %s %j', (format, text) => {
    expect(() => add(format, text)).toThrow('cannot be changed without touching its other lines');
  });
});
