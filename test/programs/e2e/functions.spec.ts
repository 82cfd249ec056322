/** A server without classes, as the program that somebody writes in plain JavaScript, and the command that looks at it. */
import { join } from 'node:path';
import { sigil } from './terminal';

jest.setTimeout(150_000);

const program = join(__dirname, 'fixtures', 'functions.mjs');

it('is shown by `sigil inspect`, with what its schemas say', async () => {
  const { status, stdout, stderr } = await sigil(['inspect', program]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(
    [
      'Tools (2)',
      '  add',
      '    Adds',
      '    takes',
      '      a  number  required  The one',
      '      b  number  = 1',
      '    returns',
      '      total  number  required',
    ].join('\n'),
  );
  expect(stdout).toContain('note://{title} · Note');
  expect(stdout).toContain('month  "May"  required');
});

it('answers what is called', async () => {
  expect(await sigil(['call', program, 'add', 'a=2'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('3') as string,
  });
  expect(await sigil(['call', program, 'stops', 'list=["Oslo","Rome"]'])).toMatchObject({ status: 0, stdout: '2\n' });
});
