/** Sensitive variables are found in a URI of any length, in work that grows with its length. */
import fc from 'fast-check';
import type { ReportedEntry } from '@sigil-mcp/cli/kit/dev';
import { sensitiveInUri } from '../src/traffic-mask';

const entryOf = (template: string, ...names: string[]): ReportedEntry => ({
  kind: 'resource-template',
  key: template,
  members: {},
  output: undefined,
  input: { schema: {}, sensitive: names.map((name) => [name]) },
});

/** As a regular expression finds them, which tries every way to divide a text. */
function byPattern(uri: string, literals: readonly string[]): readonly string[] {
  const escaped = literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('(.*?)')}$`, 's').exec(uri)?.slice(1) ?? [];
}

it('finds what a regular expression finds', () => {
  const piece = fc.array(fc.constantFrom('a', 'b', '-'), { maxLength: 3 }).map((letters) => letters.join(''));
  const literals = fc.array(piece, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(literals, fc.array(piece, { maxLength: 6 }), fc.boolean(), (parts, values, isFitting) => {
      const uri = isFitting
        ? parts.map((part, index) => part + (index < parts.length - 1 ? (values[index] ?? '') : '')).join('')
        : values.join('');
      const names = parts.slice(1).map((_, index) => `v${index}`);
      const template = parts.map((part, index) => (index === 0 ? part : `{v${index - 1}}${part}`)).join('');
      const expected = byPattern(uri, parts).filter((value) => value !== '');
      expect(sensitiveInUri(uri, entryOf(template, ...names))).toEqual(expected.flatMap((value) => [value, value]));
    }),
  );
});

it('ends for a long URI that nearly fits many variables', () => {
  const template = 'x://{a}-{b}-{c}-{d}-{e}-{f}/end';
  expect(sensitiveInUri(`x://${'-'.repeat(100_000)}/en`, entryOf(template, 'a'))).toEqual([]);
  expect(sensitiveInUri(`x://secret-${'-'.repeat(100_000)}/end`, entryOf(template, 'a'))).toEqual(['secret', 'secret']);
});
