import { firstReason } from '../src/scaffold/install-project';

describe('The reason why an installation failed', () => {
  it.each([
    [
      'npm',
      'npm error code ETARGET\nnpm error notarget No matching version found for x@9.\n',
      'notarget No matching version found for x@9',
    ],
    [
      'pnpm',
      'Progress: resolved 1\n ERR_PNPM_FETCH_404  GET http://x: Not Found - 404\n',
      'GET http://x: Not Found - 404',
    ],
    [
      'yarn',
      'yarn install v1.22.22\ninfo No lockfile found.\n[1/4] Resolving packages...\nerror Couldn\'t find any versions for "x" that matches "9"\n',
      'Couldn\'t find any versions for "x" that matches "9"',
    ],
    [
      'bun',
      'bun install v1.4.5\nerror: No version matching "9" found for specifier "x"\n',
      'No version matching "9" found for specifier "x"',
    ],
    ['another program', 'It does not work.\nmore\n', 'It does not work'],
    ['nobody', '\n', 'nothing'],
  ])('is what %s says', (_, said, reason) => {
    expect(firstReason(said)).toBe(reason);
  });
});
