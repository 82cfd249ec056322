import { CLIENTS } from '../src/clients';
import { filesOf, type Machine } from '../src/machine';
import { writeEntry } from '../src/install-server';
import type { Scope, InstalledServer } from '../src/client';

const linux: Machine = { platform: 'linux', home: '/u/ada', env: {}, project: '/p/notes', namesIn: () => [] };
const mac: Machine = { platform: 'darwin', home: '/m/ada', env: {}, project: '/p/notes', namesIn: () => [] };
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\ada',
  env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
  project: 'C:\\notes',
  namesIn: () => [],
};

const client = (id: string) => CLIENTS.find((one) => one.id === id) ?? fail(id);
const fail = (id: string): never => {
  throw new Error(`There is no ${id}.`);
};
const path = (id: string, scope: Scope, machine: Machine): string | undefined => {
  const place = client(id).places[scope];
  return place && filesOf(place, machine)[0];
};

const program: InstalledServer = {
  kind: 'program',
  name: 'notes',
  command: 'node',
  args: ['a.js'],
  variables: [
    { name: 'REGION', value: 'eu', isSecret: false },
    { name: 'API_KEY', value: 's3cret', isSecret: true },
  ],
};
const address: InstalledServer = { kind: 'address', name: 'notes', url: 'https://x/mcp', tokenVariable: 'TOKEN' };

const written = (id: string, scope: Scope, server: InstalledServer) => {
  const place = client(id).places[scope];
  return place ? writeEntry(server, { client: client(id), place }) : fail(scope);
};

describe('The settings of each application', () => {
  /** Below the home folder: everywhere, or on Linux, on a Mac, and on Windows. */
  it.each([
    [
      'claude',
      undefined,
      'Library/Application Support/Claude/*',
      'AppData/Roaming/Claude/*',
      'claude_desktop_config.json',
    ],
    ['claude-code', '.claude.json'],
    ['cursor', '.cursor/mcp.json'],
    ['vscode', '.config/*', 'Library/Application Support/*', 'AppData/Roaming/*', 'Code/User/mcp.json'],
    ['codex', '.codex/config.toml'],
    ['gemini', '.gemini/settings.json'],
    ['zed', '.config/zed/*', '.config/zed/*', 'AppData/Roaming/Zed/*', 'settings.json'],
    ['windsurf', '.codeium/windsurf/mcp_config.json'],
    ['cline', '.cline/data/settings/cline_mcp_settings.json'],
    ['continue', '.continue/config.yaml'],
    ['goose', '.config/goose/*', '.config/goose/*', 'AppData/Roaming/Block/goose/config/*', 'config.yaml'],
    ['lm-studio', '.lmstudio/mcp.json'],
  ])(
    'of the user are where its documentation says: %s',
    (id, onLinux, onMac = onLinux, onWindows = onLinux, file = '') => {
      const below = (home: string, within: string | undefined): string | undefined =>
        within === undefined ? undefined : `${home}/${within.replace('*', file)}`;
      expect([linux, mac, windows].map((machine) => path(id ?? '', 'user', machine))).toEqual([
        below('/u/ada', onLinux),
        below('/m/ada', onMac),
        below('C:/Users/ada', onWindows)?.replaceAll('/', '\\'),
      ]);
    },
  );

  it.each([
    ['as an ordinary program', ['Claude'], ['Other_1'], ['ordinary']],
    ['as a package', [], ['Claude_pzs8sxrjxfjjc', 'Claudette_1'], ['packaged']],
    ['as both', ['Claude'], ['Claude_pzs8sxrjxfjjc'], ['packaged', 'ordinary']],
    ['not yet', [], [], ['ordinary']],
  ])('of Claude Desktop are where Windows has it: %s', (_how, roaming, packages, expected) => {
    const home = 'C:\\Users\\Åda Lee';
    const folders: Readonly<Record<string, string[]>> = {
      [`${home}\\AppData\\Roaming`]: roaming,
      [`${home}\\AppData\\Local\\Packages`]: packages,
    };
    const machine: Machine = { ...windows, home, env: {}, namesIn: (folder) => folders[folder] ?? [] };
    const files = {
      ordinary: `${home}\\AppData\\Roaming\\Claude\\claude_desktop_config.json`,
      packaged: `${home}\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json`,
    };
    const { user } = client('claude').places;
    expect(user && filesOf(user, machine)).toEqual(expected.map((name) => files[name as keyof typeof files]));
    const moved = { ...machine, env: { LOCALAPPDATA: 'D:\\L' }, namesIn: () => ['Claude_x'] };
    expect(path('claude', 'user', moved)).toContain('D:\\L\\Packages\\Claude_x\\LocalCache');
  });

  it('follow the variables that move them', () => {
    const moved = { ...linux, env: { CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/d', XDG_CONFIG_HOME: '/x' } };
    expect(path('codex', 'user', moved)).toBe('/c/config.toml');
    expect(path('claude-code', 'user', moved)).toBe('/d/.claude.json');
    expect(path('zed', 'user', moved)).toBe('/x/zed/settings.json');
  });

  it.each([
    ['claude-code', '.mcp.json'],
    ['cursor', '.cursor/mcp.json'],
    ['vscode', '.vscode/mcp.json'],
    ['codex', '.codex/config.toml'],
    ['gemini', '.gemini/settings.json'],
    ['zed', '.zed/settings.json'],
    ['continue', '.continue/mcpServers/mcp.json'],
  ])('of a project are in it: %s', (id, file) => {
    expect(path(id, 'project', linux)).toBe(`/p/notes/${file}`);
  });

  it('cover every application that has them', () => {
    for (const { places, id } of CLIENTS) {
      expect([id, path(id, 'user', mac) !== undefined]).toEqual([id, true]);
      if (places.project) expect(path(id, 'project', mac)).toMatch(/^\/p\/notes\//);
    }
  });
});

describe('A server in the settings', () => {
  it.each([
    ['claude', { command: 'node', args: ['a.js'], env: { REGION: 'eu', API_KEY: 's3cret' } }],
    ['claude-code', { type: 'stdio', command: 'node', args: ['a.js'], env: { REGION: 'eu', API_KEY: 's3cret' } }],
    [
      'vscode',
      { type: 'stdio', command: 'node', args: ['a.js'], env: { REGION: 'eu', API_KEY: '${input:notes-api-key}' } },
    ],
    [
      'goose',
      {
        enabled: true,
        type: 'stdio',
        name: 'notes',
        cmd: 'node',
        args: ['a.js'],
        envs: { REGION: 'eu', API_KEY: 's3cret' },
        timeout: 300,
      },
    ],
  ])('has the members of the application: %s', (id, entry) => {
    expect(written(id, 'user', program).entry).toEqual(entry);
  });

  it.each([
    ['claude-code', { REGION: 'eu', API_KEY: '${API_KEY}' }],
    ['cursor', { REGION: 'eu', API_KEY: '${env:API_KEY}' }],
    ['gemini', { REGION: 'eu', API_KEY: '${API_KEY}' }],
    ['vscode', { REGION: 'eu', API_KEY: '${input:notes-api-key}' }],
    ['codex', { REGION: 'eu' }],
  ])('of a project holds no secret: %s', (id, env) => {
    const { entry, inputs } = written(id, 'project', program);
    expect(entry['env']).toEqual(env);
    expect(JSON.stringify([entry, inputs])).not.toContain('s3cret');
    if (id === 'codex') expect(entry['env_vars']).toEqual(['API_KEY']);
    if (id === 'vscode')
      expect(inputs).toEqual([
        { type: 'promptString', id: 'notes-api-key', description: 'API_KEY of notes', password: true },
      ]);
  });

  it.each([
    ['claude-code', { type: 'http', url: 'https://x/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } }],
    ['cursor', { url: 'https://x/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } }],
    ['vscode', { type: 'http', url: 'https://x/mcp', headers: { Authorization: 'Bearer ${input:notes-token}' } }],
    ['codex', { url: 'https://x/mcp', bearer_token_env_var: 'TOKEN' }],
    ['gemini', { httpUrl: 'https://x/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } }],
    ['windsurf', { serverUrl: 'https://x/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } }],
  ])('over HTTP names the variable with the token: %s', (id, entry) => {
    expect(written(id, 'user', address).entry).toEqual(entry);
  });

  it('over HTTP is refused where the application has no place for it', () => {
    expect(() => written('claude', 'user', address)).toThrow('The settings of Claude Desktop hold programs only');
    expect(() => written('zed', 'user', address)).toThrow('cannot name a variable of the environment with a token');
    const { tokenVariable: _, ...open } = address;
    expect(written('zed', 'user', open).entry).toEqual({ url: 'https://x/mcp' });
    expect(written('cline', 'user', open).entry).toEqual({ type: 'streamableHttp', url: 'https://x/mcp' });
  });
});
