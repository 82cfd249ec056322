/** The applications that `sigil install` knows, each as its documentation describes its settings. */
import type { Application, Place, SettingsFormat } from './client';

/** Settings as most applications have them: `{ "mcpServers": { ... } }`, with the values of secrets. */
const settings = (format: SettingsFormat, path: Place['path'], more: Partial<Place> = {}): Place => ({
  format,
  path,
  container: 'mcpServers',
  secrets: 'value',
  ...more,
});

const PROGRAM = { command: '$command', args: '$args', env: '?env' };
const ADDRESS = { url: '$url', headers: '?headers' };
const MAC = '~/Library/Application Support';
const WINDOWS = '{APPDATA:~/AppData/Roaming}';
const LINUX = '{XDG_CONFIG_HOME:~/.config}';
/**
 * Where Windows keeps the settings of an application that it has installed as a package, whose name the id of its publisher follows.
 * @see https://learn.microsoft.com/windows/msix/desktop/desktop-to-uwp-behind-the-scenes
 */
const PACKAGED = '{LOCALAPPDATA:~/AppData/Local}/Packages/Claude_*/LocalCache/Roaming';
const CLAUDE = 'Claude/claude_desktop_config.json';

/** Every application, in the order in which lists show them. */
export const CLIENTS: readonly Application[] = [
  {
    id: 'claude',
    title: 'Claude Desktop',
    docs: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
    places: {
      user: settings('json', {
        darwin: `${MAC}/${CLAUDE}`,
        // It comes as a package or as an ordinary program, and may be there as both.
        win32: [`${PACKAGED}/${CLAUDE}`, `${WINDOWS}/${CLAUDE}`],
      }),
    },
    program: PROGRAM,
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    docs: 'https://code.claude.com/docs/en/mcp',
    places: {
      user: settings('json', '{CLAUDE_CONFIG_DIR:~}/.claude.json'),
      project: settings('json', './.mcp.json', { secrets: 'reference' }),
    },
    program: { type: 'stdio', ...PROGRAM },
    address: { type: 'http', ...ADDRESS },
    reference: '${*}',
    afterwards: 'claude mcp list shows whether it connects.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    docs: 'https://cursor.com/docs/context/mcp',
    places: {
      user: settings('jsonc', '~/.cursor/mcp.json'),
      project: settings('jsonc', './.cursor/mcp.json', { secrets: 'reference' }),
    },
    program: PROGRAM,
    address: ADDRESS,
    reference: '${env:*}',
    projectFolder: '${workspaceFolder}',
    afterwards: 'Cursor shows it under Settings, MCP.',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    docs: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
    places: {
      user: settings(
        'jsonc',
        {
          darwin: `${MAC}/Code/User/mcp.json`,
          win32: `${WINDOWS}/Code/User/mcp.json`,
          other: `${LINUX}/Code/User/mcp.json`,
        },
        { container: 'servers', secrets: 'input' },
      ),
      project: settings('jsonc', './.vscode/mcp.json', { container: 'servers', secrets: 'input' }),
    },
    program: { type: 'stdio', ...PROGRAM },
    address: { type: 'http', ...ADDRESS },
    projectFolder: '${workspaceFolder}',
    afterwards: 'MCP: List Servers in the command palette starts it.',
  },
  {
    id: 'codex',
    title: 'Codex',
    docs: 'https://developers.openai.com/codex/mcp',
    places: {
      user: settings('toml', '{CODEX_HOME:~/.codex}/config.toml', { container: 'mcp_servers' }),
      project: settings('toml', './.codex/config.toml', { container: 'mcp_servers', secrets: 'forward' }),
    },
    program: { ...PROGRAM, env_vars: '?forwarded' },
    address: { url: '$url', bearer_token_env_var: '?tokenVariable' },
    afterwards: 'codex mcp list shows it. Codex reads the settings of a project only if you trust the project.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    docs: 'https://geminicli.com/docs/tools/mcp-server/',
    places: {
      user: settings('jsonc', '~/.gemini/settings.json'),
      project: settings('jsonc', './.gemini/settings.json', { secrets: 'reference' }),
    },
    program: PROGRAM,
    address: { httpUrl: '$url', headers: '?headers' },
    reference: '${*}',
    afterwards: 'gemini mcp list shows whether it connects.',
  },
  {
    id: 'zed',
    title: 'Zed',
    docs: 'https://zed.dev/docs/ai/mcp',
    places: {
      user: settings(
        'jsonc',
        {
          darwin: '~/.config/zed/settings.json',
          win32: `${WINDOWS}/Zed/settings.json`,
          other: `${LINUX}/zed/settings.json`,
        },
        { container: 'context_servers' },
      ),
      project: settings('jsonc', './.zed/settings.json', { container: 'context_servers' }),
    },
    program: PROGRAM,
    address: ADDRESS,
    afterwards: 'The settings of the agent panel show whether it runs.',
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    docs: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    places: { user: settings('jsonc', '~/.codeium/windsurf/mcp_config.json') },
    program: PROGRAM,
    address: { serverUrl: '$url', headers: '?headers' },
    reference: '${env:*}',
    afterwards: 'Refresh the list of MCP servers in Cascade.',
  },
  {
    id: 'cline',
    title: 'Cline',
    docs: 'https://docs.cline.bot/cli/configuration',
    places: { user: settings('jsonc', '~/.cline/data/settings/cline_mcp_settings.json') },
    program: PROGRAM,
    address: { type: 'streamableHttp', ...ADDRESS },
    afterwards: 'Cline shows it under MCP Servers, Configure.',
  },
  {
    id: 'continue',
    title: 'Continue',
    docs: 'https://docs.continue.dev/customize/deep-dives/mcp',
    places: {
      user: settings('yaml', '~/.continue/config.yaml', {
        isList: true,
        header: { name: 'Local Agent', version: '1.0.0', schema: 'v1' },
      }),
      project: settings('json', './.continue/mcpServers/mcp.json'),
    },
    program: PROGRAM,
    address: { type: 'streamable-http', url: '$url', requestOptions: { headers: '?headers' } },
    afterwards: 'Continue shows it under Tools in agent mode.',
  },
  {
    id: 'goose',
    title: 'goose',
    docs: 'https://block.github.io/goose/docs/guides/config-files',
    places: {
      user: settings(
        'yaml',
        {
          darwin: '~/.config/goose/config.yaml',
          win32: `${WINDOWS}/Block/goose/config/config.yaml`,
          other: '~/.config/goose/config.yaml',
        },
        { container: 'extensions' },
      ),
    },
    program: {
      ...{ enabled: true, type: 'stdio', name: '$name' },
      ...{ cmd: '$command', args: '$args', envs: '?env', timeout: 300 },
    },
    address: {
      ...{ enabled: true, type: 'streamable_http', name: '$name' },
      ...{ uri: '$url', headers: '?headers', timeout: 300 },
    },
    afterwards: 'goose loads it in its next session.',
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    docs: 'https://lmstudio.ai/docs/app/mcp',
    places: { user: settings('jsonc', '~/.lmstudio/mcp.json') },
    program: PROGRAM,
    address: ADDRESS,
    afterwards: 'LM Studio shows it under Program, Install.',
  },
];
