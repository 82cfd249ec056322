/** What the start of an extension has made, as its handlers and stages get at it. */
import { ServerExtension } from '../src/extensions/server-extensions';

it('is there from the start of the extension on, and an error before', () => {
  const made = { store: 'open' };
  const extension = new ServerExtension({ name: 'com.example/slow', start: () => made });
  expect(() => extension.started).toThrow('com.example/slow was asked before it was started');
  extension.made = made;
  expect(extension.started).toBe(made);
});
