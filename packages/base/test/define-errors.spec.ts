/** Errors of a package with codes of its own. */
import { defineErrors, SigilError } from '../src';

describe('errors of a package', () => {
  // #region define
  const acme = defineErrors({
    ACME_NO_KEY: { problem: 'There is no key {id}.', fix: 'Use one of {known}.' },
    ACME_CLOSED: { problem: 'The shop is closed.', fix: 'Come back tomorrow.' },
  });

  const open = (id: string): never => {
    throw acme.error('ACME_NO_KEY', { id, known: 'b, c' }); // does not compile without its values
  };
  // #endregion define

  it('are thrown with their code, both sentences and their cause, from where they are thrown', () => {
    expect(() => open('a')).toThrow('There is no key a. Use one of b, c.');
    const cause = new Error('Not there.');
    const error = acme.error('ACME_NO_KEY', { id: 'a', known: 'b, c' }, { cause });
    expect(error).toBeInstanceOf(SigilError);
    expect(error).toMatchObject({ code: 'ACME_NO_KEY', message: 'There is no key a. Use one of b, c.', cause });
    expect(error.stack?.split('\n')[1]).toContain('define-errors.spec.ts');
    expect(acme.error('ACME_CLOSED', undefined, { cause })).toMatchObject({ code: 'ACME_CLOSED', cause });
    expect(acme.problem('ACME_CLOSED', 'Shop.open')).toEqual({
      where: 'Shop.open',
      code: 'ACME_CLOSED',
      problem: 'The shop is closed.',
      fix: 'Come back tomorrow.',
    });
  });

  it('have no page of this project', () => {
    expect(acme.error('ACME_CLOSED').page).toBeUndefined();
    const own = defineErrors({ SIGIL_SHOP: { problem: 'It is shut.', fix: 'Wait.' } });
    expect(own.error('SIGIL_SHOP').page).toMatch(/\/e\/SIGIL_SHOP$/);
  });

  it('compile with their own codes and values only', () => {
    // @ts-expect-error no such code
    expect(acme.error('SIGIL_SERVER_CLOSED').code).toBe('SIGIL_INTERNAL');
    // @ts-expect-error a value is missing
    expect(acme.error('ACME_NO_KEY', { id: 'a' }).message).toContain('Use one of undefined.');
  });
});
