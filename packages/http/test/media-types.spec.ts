/** What an `Accept` header lets through. */
import fc from 'fast-check';
import { accepts } from '../src/checks/head-checks';

describe('an Accept header', () => {
  it.each([
    'application/json',
    'text/html, application/json;q=0.1',
    '*/*',
    'application/*',
    ' APPLICATION/JSON ; charset=utf-8',
    'application/json;q=0.001',
  ])('lets JSON through: %j', (accept) => expect(accepts(accept, 'application/json')).toBe(true));

  it.each([
    '',
    'text/*',
    'application/jsonx',
    'json',
    '*',
    'application/json;q=0',
    'application/json; q=0.000',
    '*/json',
    ',;,=;q',
  ])('does not: %j', (accept) => expect(accepts(accept, 'application/json')).toBe(false));

  it('may be any text', () => {
    fc.assert(
      fc.property(fc.string(), (accept) => expect(typeof accepts(accept, 'text/event-stream')).toBe('boolean')),
    );
  });
});
