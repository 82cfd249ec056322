/** `npm create @sigil-mcp` as each package manager starts it. */
import { create } from '../src/index';
import { typedWords } from '../src/typed-words';

async function refusalOf(...words: string[]): Promise<string> {
  let said = '';
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  try {
    expect(await create(words)).toBe(2);
    return said;
  } finally {
    spy.mockRestore();
  }
}

it('reads options behind --, which pnpm passes on', async () => {
  // The options are read: --tokens alone is refused, and nothing is written.
  expect(await refusalOf('notes', '--', '--yes', '--tokens')).toContain('[SIGIL_NEW_TOKENS]');
});

it('names a surplus argument and the command that the user typed', async () => {
  const before = { ...process.env };
  process.env['npm_config_user_agent'] = 'pnpm/10.1.0 npm/? node/v22.0.0 linux x64';
  delete process.env['npm_lifecycle_event'];
  try {
    expect(await refusalOf('notes', 'recipes')).toMatch(
      /^pnpm create @sigil-mcp@latest does not take "recipes"\. [^]*pnpm create @sigil-mcp@latest \[options\] \[folder\]\n/,
    );
  } finally {
    process.env = before;
  }
});

it.each([
  ['npm/10.9.0 node/v22', 'npx', 'npm create @sigil-mcp@latest --'],
  ['yarn/1.22.22 npm/?', undefined, 'yarn create @sigil-mcp'],
  ['bun/1.4.0', undefined, 'bun create @sigil-mcp@latest'],
  [undefined, undefined, 'npm create @sigil-mcp@latest --'],
  ['npm/10.9.0 node/v22', 'new', 'npm run new --'],
])('knows the command that was typed by %s (%s)', (userAgent, script, typed) => {
  expect(typedWords({ npm_config_user_agent: userAgent, npm_lifecycle_event: script })).toBe(typed);
});
