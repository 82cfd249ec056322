/** A denial says what HTTP can carry, or it is an error where it is made. */
import { Denial, type SigilError } from '../src';

const codeOf = (make: () => unknown): unknown => {
  try {
    make();
    return undefined;
  } catch (error) {
    return (error as SigilError).code;
  }
};

it.each([99, 100, 101, 200, 204, 304, 399, 600, 1000, 403.5, NaN, Infinity, '403' as unknown as number])(
  'is not made with the status %p',
  (status) => {
    expect(codeOf(() => new Denial('No', { status }))).toBe('SIGIL_DENIAL_STATUS');
  },
);

it.each([Infinity, NaN, -1, 1.5, '5' as unknown as number])('is not made with the seconds %p', (retryAfter) => {
  expect(codeOf(() => new Denial('No', { retryAfter }))).toBe('SIGIL_DENIAL_RETRY');
});

it('is made with each status of an error, and with 403 where none is given', () => {
  expect([400, 403, 429, 503, 599].map((status) => new Denial('No', { status }).status)).toEqual([
    400, 403, 429, 503, 599,
  ]);
  expect(new Denial('No')).toMatchObject({ status: 403, retryAfter: undefined });
  expect(new Denial('No', { retryAfter: 0 })).toMatchObject({ retryAfter: 0, data: { retryAfter: 0 } });
});
