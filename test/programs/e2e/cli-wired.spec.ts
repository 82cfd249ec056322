/** The program `sigil` itself: every command can be started, and its output and exit status arrive. */
import { builtApp } from './built-app';
import { spawnSigil } from './terminal';

jest.setTimeout(150_000);

it('starts every command that its help lists', async () => {
  const { stdout } = await spawnSigil(['--help']);
  const commands = [...stdout.matchAll(/^ {2}([a-z][\w-]*)(?: [[<]| {2,})/gm)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands.filter((name) => name !== 'sigil' && name !== 'help')) {
    const { status, stdout, stderr } = await spawnSigil([command, '--help']);
    expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' });
    expect(stdout).toContain(`Usage: sigil ${command}`);
  }
});

it('writes results to stdout and reasons to stderr, and ends with the exit status of the command', async () => {
  const called = await spawnSigil(['call', builtApp('weather'), 'forecast', 'city=Oslo', 'days=1']);
  expect(called).toEqual({
    status: 0,
    stdout: expect.stringMatching(/Oslo/),
    stderr: expect.stringContaining('looking up the normals'),
  });
  const failed = await spawnSigil(['call', builtApp('weather'), 'forecast', 'city=Atlantis']);
  expect({ ...failed, stdout: '' }).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/./) });
  expect(await spawnSigil(['inspect', '/nowhere/at/all'])).toMatchObject({ status: 4, stdout: '' });
  expect(await spawnSigil(['no-such-command'])).toMatchObject({ status: 2, stdout: '' });
});
