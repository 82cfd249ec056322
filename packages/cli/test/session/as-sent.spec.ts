/** What a command shows as a server sent it, and what it refuses to show. */
import { compileOperation, ALL_REVISIONS } from '@sigil-mcp/protocol';
import { asSent, shownEntries } from '../../src/session/as-sent';

it.each<[object, string | undefined]>([
  [{ name: 'a' }, undefined],
  [{ name: 'a', title: '', description: 'b', mimeType: 'c', arguments: [{ name: 'd' }] }, undefined],
  [{ title: 1 }, 'the title of an entry'],
  [{ description: null }, 'the description of an entry'],
  [{ mimeType: {} }, 'the mimeType of an entry'],
  [{ arguments: {} }, 'the arguments of a prompt'],
  [{ arguments: [{ name: 1 }] }, 'the arguments of a prompt'],
])('an entry %j can be shown, or says why not: %s', (entry, problem) => {
  const entries = [{ name: 'first' }, entry];
  if (problem === undefined) expect(shownEntries(entries)).toBe(entries);
  else expect(() => shownEntries(entries)).toThrow(problem);
});

it.each(ALL_REVISIONS.map((revision) => [revision.version, revision] as const))(
  'parameters and results of %s pass unchanged, without the type of the result, and are checked',
  (_version, { rules }) => {
    const { writeParams, readResult } = compileOperation(asSent('tools/call'), rules);
    const params = { name: 'a', arguments: { b: 1 }, other: true };
    expect(writeParams(params)).toEqual(params);
    const result = { content: [], structuredContent: { result: [1] }, _meta: { a: 1 }, more: 1 };
    expect(readResult({ ...result, resultType: 'complete' })).toEqual(result);
    expect(() => readResult({ content: {} })).toThrow('result.content must be an array');
  },
);
