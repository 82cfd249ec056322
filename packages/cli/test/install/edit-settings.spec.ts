import fc from 'fast-check';
import type { Place, SettingsFormat, WrittenServer } from '../../src/install/client';
import {
  findServer,
  serverNames,
  withoutServer,
  withServer,
  type SettingsText,
} from '../../src/install/edit/edit-settings';

const place = (format: SettingsFormat, more: Partial<Place> = {}): Place => ({
  format,
  container: 'servers',
  path: () => undefined,
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

  it('may have a text that looks like a table', () => {
    const text = '[servers.a]\ncommand = """\n[servers.notes]\n"""\n';
    const after = add('toml', text);
    expect(after.startsWith(text)).toBe(true);
    expect(add('toml', after)).toBe(after);
    expect(() => remove('toml', after)).toThrow('cannot be changed without touching its other lines');
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

  it.each([
    ['json', '{ "servers": {}, "servers": { "a": {} } }'],
    ['toml', 'servers = { a = { command = "x" } }\n'],
    ['toml', '[servers]\nnotes = { command = "x" }\n'],
  ] as const)('cannot be changed without touching other lines: %s %j', (format, text) => {
    expect(() => add(format, text)).toThrow('cannot be changed without touching its other lines');
  });
});
