/** Files and git of a folder, on every revision: real files, real links, real repositories. */
import './matchers';
import './quiet';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RpcError, TestClient } from '@sigil-mcp/testing';
import { eachRevision } from '../../../test/support/each-revision';
import { filesServer } from '../src/server';

let parent: string;
let folder: string;

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });

beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'sigil files ')));
  folder = join(parent, 'mine');
  mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  writeFileSync(join(folder, '.git', 'config'), 'secret');
  writeFileSync(join(folder, 'read me.md'), '# Hello\n');
  writeFileSync(join(folder, 'src', 'deep', 'main.ts'), 'run();\n');
  writeFileSync(join(folder, 'src', 'dot.png'), Buffer.from([137, 80, 0, 71]));
  symlinkSync(parent, join(folder, 'up'));
  symlinkSync(join(parent, 'secret.txt'), join(folder, 'linked.txt'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

eachRevision('finds, lists and reads the files of its folder', async ({ connect }) => {
  const client = await connect(filesServer(folder));
  const all = { files: ['read me.md', 'src/dot.png', 'src/deep/main.ts'], more: false };
  expect(await client.callTool('findFiles')).toHaveStructured(all);
  expect(await client.callTool('findFiles', { text: 'DEEP' })).toHaveStructured({ files: ['src/deep/main.ts'] });
  expect(await client.callTool('findFiles', { limit: 1 })).toHaveStructured({ files: ['read me.md'], more: true });
  expect(await client.callTool('readFile', { path: 'src/deep/main.ts' })).toHaveText('run();\n');
  expect(await client.callTool('readFile', { path: 'src/dot.png' })).toHaveContent('resource', {
    resource: { blob: 'iVAARw==' },
  });
  expect(await client.callTool('readFile', { path: 'src' })).toBeToolError(
    'This is a folder. List its files with findFiles.',
  );
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'files:///read%20me.md',
    'files:///src/dot.png',
    'files:///src/deep/main.ts',
  ]);
  expect(await client.readResource('files:///read%20me.md')).toHaveText('# Hello\n');
  const { completion } = await client.complete({ template: 'files:///{+path}' }, 'path', 'src/d');
  expect(completion.values).toEqual(['src/dot.png', 'src/deep/main.ts']);
});

const OUTSIDE = [
  '../secret.txt',
  'src/../../secret.txt',
  '/etc/passwd',
  'linked.txt',
  'up/secret.txt',
  '.git/config',
  'none.txt',
  '\0',
];

eachRevision('shows nothing outside of it', async ({ connect }) => {
  const client = await connect(filesServer(folder));
  for (const path of OUTSIDE) {
    const said = [
      client.callTool('readFile', { path }),
      client.callTool('gitDiff', { path }),
      client.readResource(`files:///${encodeURIComponent(path)}`),
      client.readResource(`files:///${encodeURI(path)}`),
    ].map((each) => each.then(JSON.stringify, (error: unknown) => `refused: ${(error as RpcError).message}`));
    for (const one of await Promise.all(said)) {
      expect(one).toMatch(/outside of the folder|through a link|is hidden|There is no|refused: .*[Nn]ot found/);
      expect(one).not.toMatch(/root:|"text":"secret"/);
    }
  }
});

eachRevision('looks where the client works, if it was started without a folder', async ({ connect }) => {
  const roots = [{ uri: pathToFileURL(join(folder, 'src')).href }, { uri: 'https://example.com/' }];
  const client = await connect(filesServer(), { capabilities: { roots: {} }, answers: () => ({ roots }) });
  expect(await client.callTool('findFiles')).toHaveStructured({ files: ['dot.png', 'deep/main.ts'], more: false });
  expect(await client.readResource('files:///deep/main.ts')).toHaveText('run();\n');
  expect(await client.callTool('readFile', { path: '../read me.md' })).toBeToolError(/is outside of the folder/);
  expect(client.questions.every(({ method }) => method === 'roots/list')).toBe(true);
});

eachRevision('says what is missing if there is no folder', async ({ connect }) => {
  const answering = { capabilities: { roots: {} }, answers: () => ({ roots: [] }) };
  for (const client of [await connect(filesServer()), await connect(filesServer(), answering)]) {
    expect(await client.callTool('findFiles')).toBeToolError(/^There is no folder to look into\. Open one/);
    expect(await client.listResources()).toMatchObject({ resources: [] });
  }
});

/** The URIs that a client was notified of, once there are `count` of them. */
async function told(client: TestClient, count: number): Promise<unknown[]> {
  const uris = (): unknown[] =>
    client.notifications('notifications/resources/updated').map(({ params }) => params?.['uri']);
  while (uris().length < count) await client.waitForNotification('notifications/resources/updated');
  return uris();
}

eachRevision('notifies subscribers when a file changes, also in a new folder', async ({ connect }) => {
  const client = await connect(filesServer(folder));
  await client.subscribe('files:///read%20me.md');
  await client.subscribe('files:///new/one.txt');
  for (const word of ['a', 'b', 'c']) appendFileSync(join(folder, 'read me.md'), word);
  appendFileSync(join(folder, 'src', 'dot.png'), 'x'); // no client subscribed to it
  expect(new Set(await told(client, 1))).toEqual(new Set(['files:///read%20me.md']));
  mkdirSync(join(folder, 'new'));
  for (
    let text = 0;
    !client.notifications().some(({ params }) => params?.['uri'] === 'files:///new/one.txt');
    text += 1
  ) {
    writeFileSync(join(folder, 'new', 'one.txt'), String(text));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

describe('git', () => {
  beforeEach(() => {
    rmSync(join(folder, '.git'), { recursive: true });
    git('init', '--quiet');
    git('add', 'read me.md');
    git('commit', '--quiet', '-m', 'Begin');
    git('add', 'src');
    git('commit', '--quiet', '-m', 'Run');
    appendFileSync(join(folder, 'src', 'deep', 'main.ts'), 'stop();\n');
  });

  eachRevision('shows the history and the changes of the folder', async ({ connect }) => {
    const client = await connect(filesServer(folder));
    const commits = [
      { author: 'Ada', subject: 'Run' },
      { subject: 'Begin', date: /^\d{4}-/ },
    ];
    expect(await client.callTool('gitLog')).toHaveStructured({ commits });
    expect(await client.callTool('gitLog', { path: 'read me.md' })).toHaveStructured({
      commits: [{ subject: 'Begin' }],
    });
    expect(await client.callTool('gitDiff')).toHaveText(/^diff --git a\/src\/deep\/main\.ts[^]*\+stop\(\);\n$/);
    expect(await client.callTool('gitDiff', { from: 'HEAD~1', path: 'src/dot.png' })).toHaveText(/new file mode/);
    expect(await client.callTool('gitDiff', { path: 'read me.md' })).toHaveText('Nothing has changed.');
    appendFileSync(join(folder, 'read me.md'), 'More.\n');
    writeFileSync(join(folder, '*.md'), 'A name is no pattern.');
    expect(await client.callTool('gitDiff', { path: '*.md' })).toHaveText('Nothing has changed.');
    expect(await client.callTool('gitDiff', { from: 'nobody' })).toBeToolError(
      "Git says: fatal: bad revision 'nobody'",
    );
  });

  eachRevision('shows nothing of a repository around the folder', async ({ connect }) => {
    appendFileSync(join(folder, 'read me.md'), 'More.\n');
    const client = await connect(filesServer(join(folder, 'src')));
    expect(await client.callTool('gitLog')).toHaveStructured({ commits: [{ subject: 'Run' }] });
    expect(await client.callTool('gitLog')).not.toHaveText(/Begin/);
    expect(await client.callTool('gitDiff')).toHaveText(/^diff --git a\/deep\/main\.ts[^]*stop\(\)/);
    expect(await client.callTool('gitDiff')).not.toHaveText(/More/);
    expect(await client.callTool('gitDiff', { path: ':(top)' })).toBeToolError(/There is no ":\(top\)"/);
  });

  eachRevision('starts nothing that a model or a file names', async ({ connect }) => {
    const trace = join(parent, 'trace');
    writeFileSync(join(folder, '.gitattributes'), '*.ts diff=loud\n');
    for (const [key, words] of [
      ['diff.external', ''],
      ['diff.loud.textconv', ''],
      ['core.fsmonitor', ''],
      ['gpg.program', ''],
    ])
      git('config', key!, `touch '${trace}'${words}`);
    const client = await connect(filesServer(folder));
    expect(await client.callTool('gitDiff')).toHaveText(/stop\(\)/);
    await client.callTool('gitLog');
    for (const from of [`--output=${trace}`, '-c', `HEAD; touch ${trace}`, `$(touch ${trace})`]) {
      const said = await client.callTool('gitDiff', { from }).then(JSON.stringify, String);
      expect(said).toMatch(/Invalid arguments: from/);
    }
    expect(existsSync(trace)).toBe(false);
  });

  eachRevision('says so if there is no repository', async ({ connect }) => {
    rmSync(join(folder, '.git'), { recursive: true });
    const client = await connect(filesServer(folder));
    expect(await client.callTool('gitLog')).toBeToolError(/^Git says: fatal: not a git repository/);
  });
});

eachRevision('starts no program that the settings of a repository name', async ({ connect }) => {
  rmSync(join(folder, '.git'), { recursive: true });
  git('init', '--quiet');
  git('add', 'src');
  git('commit', '--quiet', '-m', 'First');
  const ran = join(parent, 'ran');
  writeFileSync(join(folder, 'program.sh'), `echo "$1" >> '${ran}'; cat\n`);
  const program = (why: string): string => `sh '${join(folder, 'program.sh')}' ${why}`;
  for (const name of ['x', 'a=b', 'Large.One']) {
    git('config', `filter.${name}.clean`, program('clean'));
    git('config', `filter.${name}.required`, 'true');
  }
  git('config', 'filter.long.process', program('process'));
  git('config', 'core.fsmonitor', program('fsmonitor'));
  git('config', 'diff.external', program('external'));
  git('config', 'diff.x.textconv', program('textconv'));
  writeFileSync(
    join(folder, '.gitattributes'),
    '*.ts filter=x diff=x\nb* filter=a=b\nc* filter=Large.One\nd* filter=long\n',
  );
  const client = await connect(filesServer(folder));
  for (const name of ['main.ts', 'b', 'c', 'd']) writeFileSync(join(folder, 'src', 'deep', name), 'changed\n');
  for (const name of ['b', 'c', 'd']) git('add', '--intent-to-add', join('src', 'deep', name));
  rmSync(ran, { force: true });
  expect(await client.callTool('gitDiff')).toHaveText(/-run\(\);\n\+changed/);
  expect(await client.callTool('gitLog')).toHaveStructured({ commits: [{ subject: 'First' }] });
  expect(existsSync(ran)).toBe(false);
});
