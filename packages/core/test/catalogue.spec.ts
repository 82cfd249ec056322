/** The catalogue of errors: its page, its codes and its sentences. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SigilError } from '@sigil-mcp/core';
import { CATALOGUE, CATALOGUE_GROUPS, type CatalogueGroup } from '../src/errors/catalogue';
import { problem } from '../src/errors/definition-error';
import { endedCall } from '../src/errors/ended-call';
import { sigilError } from '../src/errors/sigil-error';
import { wordsFor } from '../src/errors/words-for';

const root = join(__dirname, '..', '..', '..');
const { writeErrorsPage } = createRequire(__filename)(join(root, 'scripts', 'errors-page.cjs')) as {
  writeErrorsPage(groups: readonly CatalogueGroup[]): string;
};

const sources = ['core', 'fastify', 'redis', 'oauth', 'protocol', 'testing', 'cli', 'create'].flatMap((name) => {
  const folder = join(root, 'packages', name, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files
    .filter((file) => !/[\\/]catalogue[\\/]/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
});
const named = new Set(
  sources
    .map((text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\benv(?:ironment)?\['\w+'\]/g, ''))
    .flatMap((text) => [...text.matchAll(/'(SIGIL_\w+)'/g)])
    .map(([, code]) => code),
);
const codes = Object.keys(CATALOGUE);

describe('the catalogue', () => {
  it('is what docs/errors.md says; `npm run errors` writes it', () => {
    expect(readFileSync(join(root, 'docs', 'errors.md'), 'utf8')).toBe(writeErrorsPage(CATALOGUE_GROUPS));
  });

  it('has each code in one group', () => {
    const grouped = CATALOGUE_GROUPS.flatMap(({ errors }) => Object.keys(errors));
    expect(grouped.sort()).toEqual([...codes].sort());
  });

  it('holds no code that nothing uses', () => {
    expect(codes.filter((code) => !named.has(code))).toEqual([]);
  });

  it('holds every code that the sources name', () => {
    expect([...named].filter((code) => !codes.includes(code ?? ''))).toEqual([]);
  });

  it.each(Object.entries(CATALOGUE))('says of %s what is wrong and how to fix it', (code, { what, fix }) => {
    expect(code).toMatch(/^SIGIL(_[A-Z0-9]+)+$/);
    expect(what).toMatch(/([.]|\})$/);
    expect(fix).toMatch(/^[A-Z]/);
    expect(fix).not.toBe(what);
  });
});

describe('an error of the catalogue', () => {
  it('is filled in wherever its sentences name a value', () => {
    expect(wordsFor('SIGIL_TEMPLATE_NO_LIST', { variable: 'days' })).toEqual({
      code: 'SIGIL_TEMPLATE_NO_LIST',
      what: "the property days of its input class is an array, but the template's variable days is a single text.",
      fix: 'Explode the variable, for example {/days*} or {?days*}, or make the property a single value.',
    });
  });

  it('keeps braces that are no names, and values that look like some', () => {
    expect(wordsFor('SIGIL_RESOURCE_INPUT').fix).toContain('"weather://{city}/today"');
    expect(wordsFor('SIGIL_NO_METADATA').fix).toContain('{ input: TheClass }');
    expect(wordsFor('SIGIL_MISSING_PROVIDER', { token: '{token} $&' }).fix).toContain(
      '{ provide: {token} $&, useValue',
    );
  });

  it('compiles with its own code and values only', () => {
    // @ts-expect-error a value is missing
    expect(wordsFor('SIGIL_TOOL_NAME').what).toBe('undefined is not a valid tool name.');
    // @ts-expect-error a value too many
    expect(wordsFor('SIGIL_TOOL_NAME', { name: 'a b', title: 'c' }).what).toBe('a b is not a valid tool name.');
    // @ts-expect-error one of two values is missing
    expect(problem('SIGIL_FORM_DEFAULT', 'Form.at', { field: 'at' }).what).toContain('undefined');
    // @ts-expect-error it is no end of a call
    expect(endedCall('SIGIL_TOOL_NAME', { name: 'a b' }).code).toBe('SIGIL_TOOL_NAME');
  });

  it.each(['SIGIL_TOOL_NAMES', 'toString', ''])('is SIGIL_INTERNAL where there is no code %j', (code) => {
    const internal = { code: 'SIGIL_INTERNAL', what: `Internal error: ${code} is no code of the catalogue.` };
    // @ts-expect-error no such code
    expect(wordsFor(code, { name: 'a b' })).toMatchObject(internal);
    // @ts-expect-error no such code
    expect(problem(code, 'Form.at')).toMatchObject({ ...internal, where: 'Form.at' });
    // @ts-expect-error no such code
    const error = sigilError(code, { name: 'a b' }, { cause: 'known' });
    expect(error).toBeInstanceOf(SigilError);
    expect(error).toMatchObject({ code: 'SIGIL_INTERNAL', cause: 'known' });
    expect(error.message).toContain(internal.what);
  });

  it('is thrown with code, both sentences and its cause, from where it is thrown', () => {
    const cause = new Error('A cycle.');
    const error = sigilError('SIGIL_ONCE_RESULT', { key: '"mail"' }, { cause });
    expect(error).toBeInstanceOf(SigilError);
    expect(error).toMatchObject({ name: 'SigilError', code: 'SIGIL_ONCE_RESULT', cause });
    expect(error.message).toBe(
      'once("mail") stores JSON, and its result cannot be written as JSON. Return plain data without cycles or BigInt.',
    );
    expect(error.stack?.split('\n')[1]).toContain('catalogue.spec.ts');
  });
});
