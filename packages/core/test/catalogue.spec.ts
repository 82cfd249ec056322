/** An error of the catalogue: its code, its sentences and its values. */
import { SigilError } from '@sigil-mcp/core';
import { problem, sigilError, wordsFor } from '../src/errors/catalogue';
import { endedCall } from '../src/errors/failures';

describe('an error of the catalogue', () => {
  it('is filled in wherever its sentences name a value', () => {
    expect(wordsFor('SIGIL_TEMPLATE_NO_LIST', { variable: 'days' })).toEqual({
      code: 'SIGIL_TEMPLATE_NO_LIST',
      problem: "the property days of its input class is an array, but the template's variable days is a single text.",
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
    expect(wordsFor('SIGIL_TOOL_NAME').problem).toBe('undefined is not a valid tool name.');
    // @ts-expect-error a value too many
    expect(wordsFor('SIGIL_TOOL_NAME', { name: 'a b', title: 'c' }).problem).toBe('a b is not a valid tool name.');
    // @ts-expect-error one of two values is missing
    expect(problem('SIGIL_HEADER_TYPE', 'Tool.at', { argument: 'at' }).problem).toContain('undefined');
    // @ts-expect-error it is no end of a call
    expect(endedCall('SIGIL_TOOL_NAME', { name: 'a b' }).code).toBe('SIGIL_TOOL_NAME');
  });

  it.each(['SIGIL_TOOL_NAMES', 'toString', ''])('is SIGIL_INTERNAL where there is no code %j', (code) => {
    const internal = { code: 'SIGIL_INTERNAL', problem: `Internal error: ${code} is no code of the catalogue.` };
    // @ts-expect-error no such code
    expect(wordsFor(code, { name: 'a b' })).toMatchObject(internal);
    // @ts-expect-error no such code
    expect(problem(code, 'Form.at')).toMatchObject({ ...internal, where: 'Form.at' });
    // @ts-expect-error no such code
    const error = sigilError(code, { name: 'a b' }, { cause: 'known' });
    expect(error).toBeInstanceOf(SigilError);
    expect(error).toMatchObject({ code: 'SIGIL_INTERNAL', cause: 'known' });
    expect(error.message).toContain(internal.problem);
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
