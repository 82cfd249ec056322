/** `sigil add feature`: a class in its own file, registered in the server, with a spec. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failure, wrongUsage } from '../failure';
import { shownPath } from '../project/shown-path';
import { addImports } from './add-imports';
import { inStyle } from './code-style';
import { capitalised, dashed, joined, type Piece } from './pieces';
import type { ReadProject } from './read-project';
import { checkParses, insertInto, type Insertion } from './source-file';
import type { FileChange } from './write-changes';
import { importsCompiled, specFor, wayTo } from './write-spec';

/** @throws CliFailure if the feature cannot be added */
export function addFeature(project: ReadProject, name: string): readonly FileChange[] {
  const plain = joined(name).replace(/[Ff]eature$/, '');
  if (!/^[A-Za-z]/.test(plain) || /[^\w-]/.test(name)) {
    throw wrongUsage('SIGIL_ADD_CLASS_NAME', { name });
  }
  const { compiler, folder, server, esm } = project;
  const className = `${capitalised(plain)}Feature`;
  const path = join(dirname(server.file.path), `${dashed(plain)}${endingOf(project)}.ts`);
  checkIsNew(project, className, path);
  const module = wayTo(dirname(server.file.path), path, esm || importsCompiled(server.file.text));
  const text = insertInto(server.file.text, [
    ...addImports(compiler, server.file, module, [className]),
    entryFor(project, className),
  ]);
  checkParses(compiler, text, shownPath(folder, server.file.path));
  const { code, piece } = featureCode(plain, className);
  return [
    { path, text: inStyle(code, server.file.style) },
    { path: server.file.path, text },
    specFor(project, [dashed(plain), `${dashed(plain)}-feature`], piece),
  ];
}

/** The ending that the project gives to files of features: `.feature` or `-feature`. */
function endingOf({ features }: ReadProject): string {
  return features.some(({ file }) => file.path.endsWith('-feature.ts')) ? '-feature' : '.feature';
}

function checkIsNew({ features, folder }: ReadProject, className: string, path: string): void {
  const same = features.find(({ name }) => name === className);
  if (!same && !existsSync(path)) return;
  const where = shownPath(folder, same?.file.path ?? path);
  throw same
    ? failure('SIGIL_ADD_CLASS_TAKEN', { name: className, place: where })
    : failure('SIGIL_ADD_FILE_TAKEN', { file: where });
}

function entryFor({ compiler, folder, server }: ReadProject, className: string): Insertion {
  const { file, node } = server;
  const [options] = node.arguments;
  const list =
    options && compiler.isObjectLiteralExpression(options)
      ? options.properties.find((each) => each.name?.getText() === 'features')
      : undefined;
  if (!list || !compiler.isPropertyAssignment(list) || !compiler.isArrayLiteralExpression(list.initializer)) {
    throw failure('SIGIL_ADD_NO_LIST', { file: shownPath(folder, file.path) });
  }
  const last = list.initializer.elements.at(-1);
  if (!last) return { at: list.initializer.getStart() + 1, text: className };
  const start = last.getStart();
  const line = file.text.slice(file.text.lastIndexOf('\n', start - 1) + 1, start);
  return {
    at: last.getEnd(),
    text: line.trim() === '' ? `,${file.style.lineEnd}${line}${className}` : `, ${className}`,
  };
}

function featureCode(plain: string, className: string): { code: string; piece: Piece } {
  const tool = `about${capitalised(plain)}`;
  const words = dashed(plain).replaceAll('-', ' ');
  const code = [
    `/** What the server can do with ${words}. */`,
    "import { Feature, Tool } from '@sigil-mcp/core';",
    '',
    '@Feature()',
    `export class ${className} {`,
    `  @Tool('TODO: say what ${tool} does, and when a model should call it', { readOnly: true })`,
    `  ${tool}(): string {`,
    `    return 'Nothing yet.';`,
    '  }',
    '}',
    '',
  ].join('\n');
  const check = [`const result = await client.callTool('${tool}');`, `expect(result).toHaveText('Nothing yet.');`];
  return { code, piece: { method: '', imports: {}, title: `${tool} answers`, check } };
}
