/** The bytes of a body, and how much work they are, however they come. */
import { BodyBuffer } from '../src/body/body-reader';

/** How many bytes are copied, and taken of memory, for a body of one-byte pieces. */
function workFor(length: number, expected: number): { readonly copied: number; readonly taken: number } {
  let taken = 0;
  const copy = jest.spyOn(Buffer.prototype, 'copy');
  const body = new BodyBuffer(expected, (bytes) => (taken += bytes));
  for (let index = 0; index < length; index += 1) body.add(Buffer.of(index % 256));
  const copied = copy.mock.results.reduce((sum, { value }) => sum + Number(value), 0);
  copy.mockRestore();
  expect(body.bytes.equals(Buffer.from(Array.from({ length }, (_, index) => index % 256)))).toBe(true);
  return { copied, taken };
}

it.each([1, 10_000, 50_000])('copies each byte a few times at most, if %s bytes were expected', (expected) => {
  for (const length of [1, 100, 10_000, 20_000]) {
    const { copied, taken } = workFor(length, expected);
    expect(copied).toBeLessThanOrEqual(3 * length);
    expect(taken).toBeLessThanOrEqual(4 * length);
  }
});
