/** A call of the page as a test of the project: the same arguments, and the same result. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/protocol';
import { literal } from '../add/literals';
import { dashed, joined } from '../add/pieces';
import { readProject, type ReadProject } from '../add/read-project';
import { specFor } from '../add/write-spec';
import { writeChanges } from '../add/write-changes';
import { shownPath } from '../project/shown-path';
import { objectOf, textOf } from './page-calls';

/** Names that are tried for a spec, when there is one of a name already. */
const MOST_NAMES = 50;

/**
 * Writes a spec for a call into the project.
 * @param folder of the project
 * @param body what was called, and its result
 * @returns the path of the file, and its text
 * @throws CliFailure if the server is not exported, or the file cannot be written
 */
export function writeCallSpec(folder: string, body: JsonObject): { readonly file: string; readonly text: string } {
  const project = readProject(folder);
  const [kind, name] = [textOf(body, 'kind'), textOf(body, 'name')];
  const check = checkOf(kind, name, { args: objectOf(body, 'arguments'), result: objectOf(body, 'result') });
  const base = freeBase(project, dashed(joined(name.replace(/[^\w-]+/g, '-'))) || 'call');
  const title = `${name.replace(/['\\\r\n]/g, ' ')} answers as it did in the page`;
  const change = specFor(project, [base], { title, check });
  writeChanges([change], folder);
  return { file: shownPath(folder, change.path), text: change.text };
}

interface Outcome {
  readonly args: JsonObject;
  readonly result: JsonObject;
}

/** The lines of the test. */
function checkOf(kind: string, name: string, { args, result }: Outcome): readonly string[] {
  const quoted = literal(name);
  if (kind === 'resource') {
    const text = literal(result['contents'] ?? []);
    return [`const { contents } = await client.readResource(${quoted});`, `expect(contents).toMatchObject(${text});`];
  }
  if (kind === 'prompt') {
    const messages = literal(result['messages'] ?? []);
    return [
      `const { messages } = await client.getPrompt(${quoted}, ${literal(args)});`,
      `expect(messages).toEqual(${messages});`,
    ];
  }
  const { content = [], isError = false } = result;
  const call = `const result = await client.callTool(${quoted}, ${literal(args)});`;
  // Older revisions know text alone, and structured results are repeated as text.
  const texts = Array.isArray(content) && content.every((block) => isObject(block) && block['type'] === 'text');
  const expected = { isError, ...(texts && { content }) };
  return [call, `expect(result).toMatchObject(${literal(expected)});`];
}

/** A name for which there is no spec yet. */
function freeBase({ folder }: ReadProject, base: string): string {
  const isTaken = (name: string): boolean =>
    ['test', 'tests', '__tests__'].some((tests) =>
      ['spec', 'test'].some((ending) => existsSync(join(folder, tests, `${name}.${ending}.ts`))),
    );
  const names = [base, ...Array.from({ length: MOST_NAMES }, (_, index) => `${base}-${index + 2}`)];
  return names.find((name) => !isTaken(name)) ?? base;
}
