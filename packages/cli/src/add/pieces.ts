/** The code that `sigil add` writes for each kind: it compiles and answers at once, and its texts say what to replace. */

/** What can be added to a feature. */
export type PieceKind = 'tool' | 'resource' | 'prompt' | 'view';

/** Code in our own style; `inStyle` adapts it to a file. */
export interface Piece {
  /** A file next to that of the feature. */
  readonly beside?: { readonly name: string; readonly text: string };
  /** An extension that the server must have: its package, and the function that makes it. */
  readonly extension?: { readonly module: string; readonly name: string };
  /** A class for the input, before the feature. */
  readonly input?: { readonly name: string; readonly code: string };
  readonly method: string;
  /** The names that the code needs, by module. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
  /** The body of the test, which has a client. */
  readonly check: readonly string[];
  readonly title: string;
}

/** The package of the framework. */
export const SIGIL = '@sigil-mcp/core';
const VALIDATOR = 'class-validator';
const APPS = '@sigil-mcp/apps';

/**
 * @param name of the method
 * @param scheme of the URI of a resource
 */
export function pieceOf(kind: PieceKind, name: string, scheme: string): Piece {
  return { tool, resource, prompt, view }[kind](name, scheme);
}

function tool(name: string): Piece {
  const input = `${capitalised(name)}Input`;
  return {
    input: {
      name: input,
      code: `class ${input} {\n  @Describe('TODO: say what a model has to know about this argument') @IsString() @Length(1, 200) text!: string;\n}`,
    },
    method: `@Tool('TODO: say what ${name} does, and when a model should call it')\n${name}({ text }: ${input}): string {\n  return \`${name} got: \${text}\`;\n}`,
    imports: { [SIGIL]: ['Describe', 'Tool'], [VALIDATOR]: ['IsString', 'Length'] },
    title: `${name} answers`,
    check: [
      `const result = await client.callTool('${name}', { text: 'hello' });`,
      `expect(result).toHaveText('${name} got: hello');`,
    ],
  };
}

function resource(name: string, scheme: string): Piece {
  const uri = `${scheme}://${dashed(name)}`;
  return {
    method: `@Resource('${uri}', { description: 'TODO: say what ${name} contains', mimeType: 'application/json' })\n${name}(): object {\n  return { name: '${name}' };\n}`,
    imports: { [SIGIL]: ['Resource'] },
    title: `${name} can be read`,
    check: [
      `const { contents } = await client.readResource('${uri}');`,
      `expect(contents).toMatchObject([{ uri: '${uri}', mimeType: 'application/json' }]);`,
    ],
  };
}

function prompt(name: string): Piece {
  const input = `${capitalised(name)}Input`;
  return {
    input: {
      name: input,
      code: `class ${input} {\n  @Describe('TODO: say what this argument is for') @IsString() @Length(1, 200) topic!: string;\n}`,
    },
    method: `@Prompt('TODO: say what ${name} is for, to the user who picks it')\n${name}({ topic }: ${input}): string {\n  return \`Let us talk about \${topic}.\`;\n}`,
    imports: { [SIGIL]: ['Describe', 'Prompt'], [VALIDATOR]: ['IsString', 'Length'] },
    title: `${name} can be picked`,
    check: [
      `const result = await client.getPrompt('${name}', { topic: 'tea' });`,
      `expect(result).toHaveText('Let us talk about tea.');`,
    ],
  };
}

function view(name: string, scheme: string): Piece {
  const uri = `ui://${scheme}/${dashed(name)}`;
  const [file, tool] = [`${dashed(name)}.html`, `show${capitalised(name)}`];
  return {
    beside: { name: file, text: viewPage(name) },
    extension: { module: APPS, name: 'apps' },
    method: [
      `@View('${uri}', { file: './${file}' })`,
      `readonly ${name}!: View;`,
      '',
      `@Tool('TODO: say what ${tool} does, and when a model should call it', { view: '${name}', readOnly: true })`,
      `${tool}(): string {`,
      `  return 'Nothing yet.';`,
      '}',
    ].join('\n'),
    imports: { [SIGIL]: ['Tool'], [APPS]: ['View'] },
    title: `${tool} has a view`,
    check: [
      'const { tools } = await client.listTools();',
      `const shown = tools.find(({ name }) => name === '${tool}');`,
      `expect(shown).toMatchObject({ _meta: { ui: { resourceUri: '${uri}' } } });`,
      `const { contents } = await client.readResource('${uri}');`,
      `expect(contents).toMatchObject([{ mimeType: 'text/html;profile=mcp-app' }]);`,
    ],
  };
}

/** A page that shows the text of the result. */
function viewPage(name: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '  <head>',
    '    <meta charset="utf-8" />',
    `    <title>${capitalised(dashed(name).replaceAll('-', ' '))}</title>`,
    '    <style>',
    '      body {',
    '        margin: 1rem;',
    '        font-family: system-ui, sans-serif;',
    '      }',
    '    </style>',
    '  </head>',
    '  <body>',
    '    <p id="result" role="status">Waiting for the result</p>',
    '    <script src="@sigil-mcp/apps/view"></script>',
    '    <script>',
    '      const view = connectView();',
    '      view.onResult(({ text }) => {',
    "        document.getElementById('result').textContent = text;",
    '      });',
    '    </script>',
    '  </body>',
    '</html>',
    '',
  ].join('\n');
}

/** @returns the code with the names under which a file imports the decorators */
export function renamed(code: string, names: ReadonlyMap<string, string>): string {
  return code.replace(/@(\w+)(?=\()/g, (_whole, name: string) => `@${names.get(name) ?? name}`);
}

/** A name with a capital letter first: `findNote` -> `FindNote`. */
export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A name with dashes between its words: `findNote` -> `find-note`. */
export function dashed(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** A name whose words are joined with capital letters: `find-note` -> `findNote`. */
export function joined(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const whole = words.map((word, index) => (index === 0 ? word : capitalised(word))).join('');
  return whole.charAt(0).toLowerCase() + whole.slice(1);
}

/** The name of a method, as it was typed or with dashes between its words: `all-notes2` -> `allNotes2`. */
export function methodNameOf(typed: string): string {
  return /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+$/.test(typed) ? joined(typed) : typed;
}
