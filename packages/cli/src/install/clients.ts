/** The applications that `sigil install` knows, each as its documentation describes its settings. */
import type { Application, SettingsEntry, Place, SettingsFormat, WrittenAddress, WrittenProgram } from './client';
import { inAppData, inHome, inNamedFolder, inPackages, inProject, type Machine } from './machine';

/** `{ "mcpServers": { ... } }`, as most applications have it. */
const common = (format: SettingsFormat, rest: Pick<Place, 'path' | 'secrets'>): Place => ({
  format,
  container: 'mcpServers',
  ...rest,
});

const commonProgram = ({ command, args, env }: WrittenProgram): SettingsEntry => ({
  command,
  args,
  ...some('env', env),
});

const commonAddress = ({ url, headers }: WrittenAddress): SettingsEntry => ({ url, ...some('headers', headers) });

/** A member, unless it would be empty. */
function some(name: string, value: Readonly<Record<string, string>> | readonly string[]): SettingsEntry {
  return Object.keys(value).length === 0 ? {} : { [name]: value };
}

const dollarBraces = (variable: string): string => `\${${variable}}`;
const envBraces = (variable: string): string => `\${env:${variable}}`;

const claude: Application = {
  id: 'claude',
  title: 'Claude Desktop',
  docs: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  places: {
    user: {
      ...common('json', { path: (machine) => pathsOfClaude(machine)[0], secrets: 'value' }),
      otherPaths: (machine) => pathsOfClaude(machine).slice(1),
    },
  },
  program: commonProgram,
  afterwards: 'Quit Claude Desktop and start it again.',
};

/** On Windows it comes as a package or as an ordinary program, and may be there as both. */
function pathsOfClaude(machine: Machine): readonly string[] {
  const file = ['Claude', 'claude_desktop_config.json'];
  if (machine.platform === 'darwin') return [inHome(machine, 'Library', 'Application Support', ...file)];
  if (machine.platform !== 'win32') return [];
  const packaged = inPackages(machine, 'Claude', ...file);
  const isOrdinary = packaged.length === 0 || machine.namesIn(inAppData(machine)).includes('Claude');
  return isOrdinary ? [...packaged, inAppData(machine, ...file)] : packaged;
}

const claudeCode: Application = {
  id: 'claude-code',
  title: 'Claude Code',
  docs: 'https://code.claude.com/docs/en/mcp',
  places: {
    user: common('json', {
      path: (machine) => inNamedFolder(machine, { variable: 'CLAUDE_CONFIG_DIR', otherwise: [] }, '.claude.json'),
      secrets: 'value',
    }),
    project: common('json', { path: (machine) => inProject(machine, '.mcp.json'), secrets: 'reference' }),
  },
  program: (server) => ({ type: 'stdio', ...commonProgram(server) }),
  address: (server) => ({ type: 'http', ...commonAddress(server) }),
  reference: dollarBraces,
  afterwards: 'claude mcp list shows whether it connects.',
};

const cursor: Application = {
  id: 'cursor',
  title: 'Cursor',
  docs: 'https://cursor.com/docs/context/mcp',
  places: {
    user: common('jsonc', { path: (machine) => inHome(machine, '.cursor', 'mcp.json'), secrets: 'value' }),
    project: common('jsonc', { path: (machine) => inProject(machine, '.cursor', 'mcp.json'), secrets: 'reference' }),
  },
  program: commonProgram,
  address: commonAddress,
  reference: envBraces,
  projectFolder: '${workspaceFolder}',
  afterwards: 'Cursor shows it under Settings, MCP.',
};

const vscode: Application = {
  id: 'vscode',
  title: 'VS Code',
  docs: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
  places: {
    user: { format: 'jsonc', container: 'servers', path: pathOfCode, secrets: 'input' },
    project: {
      format: 'jsonc',
      container: 'servers',
      path: (machine) => inProject(machine, '.vscode', 'mcp.json'),
      secrets: 'input',
    },
  },
  program: (server) => ({ type: 'stdio', ...commonProgram(server) }),
  address: (server) => ({ type: 'http', ...commonAddress(server) }),
  projectFolder: '${workspaceFolder}',
  afterwards: 'MCP: List Servers in the command palette starts it.',
};

function pathOfCode(machine: Machine): string {
  const file = ['Code', 'User', 'mcp.json'];
  if (machine.platform === 'win32') return inAppData(machine, ...file);
  if (machine.platform === 'darwin') return inHome(machine, 'Library', 'Application Support', ...file);
  return inNamedFolder(machine, { variable: 'XDG_CONFIG_HOME', otherwise: ['.config'] }, ...file);
}

const codex: Application = {
  id: 'codex',
  title: 'Codex',
  docs: 'https://developers.openai.com/codex/mcp',
  places: {
    user: {
      format: 'toml',
      container: 'mcp_servers',
      path: (machine) => inNamedFolder(machine, { variable: 'CODEX_HOME', otherwise: ['.codex'] }, 'config.toml'),
      secrets: 'value',
    },
    project: {
      format: 'toml',
      container: 'mcp_servers',
      path: (machine) => inProject(machine, '.codex', 'config.toml'),
      secrets: 'forward',
    },
  },
  program: ({ forwarded, ...server }) => ({
    ...commonProgram({ forwarded, ...server }),
    ...some('env_vars', forwarded),
  }),
  address: ({ url, tokenVariable }) => ({ url, ...(tokenVariable && { bearer_token_env_var: tokenVariable }) }),
  afterwards: 'codex mcp list shows it. Codex reads the settings of a project only if you trust the project.',
};

const gemini: Application = {
  id: 'gemini',
  title: 'Gemini CLI',
  docs: 'https://geminicli.com/docs/tools/mcp-server/',
  places: {
    user: common('jsonc', { path: (machine) => inHome(machine, '.gemini', 'settings.json'), secrets: 'value' }),
    project: common('jsonc', {
      path: (machine) => inProject(machine, '.gemini', 'settings.json'),
      secrets: 'reference',
    }),
  },
  program: commonProgram,
  address: ({ url, headers }) => ({ httpUrl: url, ...some('headers', headers) }),
  reference: dollarBraces,
  afterwards: 'gemini mcp list shows whether it connects.',
};

const zed: Application = {
  id: 'zed',
  title: 'Zed',
  docs: 'https://zed.dev/docs/ai/mcp',
  places: {
    user: { format: 'jsonc', container: 'context_servers', path: pathOfZed, secrets: 'value' },
    project: {
      format: 'jsonc',
      container: 'context_servers',
      path: (machine) => inProject(machine, '.zed', 'settings.json'),
      secrets: 'value',
    },
  },
  program: commonProgram,
  address: commonAddress,
  afterwards: 'The settings of the agent panel show whether it runs.',
};

function pathOfZed(machine: Machine): string {
  if (machine.platform === 'win32') return inAppData(machine, 'Zed', 'settings.json');
  if (machine.platform === 'darwin') return inHome(machine, '.config', 'zed', 'settings.json');
  return inNamedFolder(machine, { variable: 'XDG_CONFIG_HOME', otherwise: ['.config'] }, 'zed', 'settings.json');
}

const windsurf: Application = {
  id: 'windsurf',
  title: 'Windsurf',
  docs: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  places: {
    user: common('jsonc', {
      path: (machine) => inHome(machine, '.codeium', 'windsurf', 'mcp_config.json'),
      secrets: 'value',
    }),
  },
  program: commonProgram,
  address: ({ url, headers }) => ({ serverUrl: url, ...some('headers', headers) }),
  reference: envBraces,
  afterwards: 'Refresh the list of MCP servers in Cascade.',
};

const cline: Application = {
  id: 'cline',
  title: 'Cline',
  docs: 'https://docs.cline.bot/cli/configuration',
  places: {
    user: common('jsonc', {
      path: (machine) => inHome(machine, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
      secrets: 'value',
    }),
  },
  program: commonProgram,
  address: (server) => ({ type: 'streamableHttp', ...commonAddress(server) }),
  afterwards: 'Cline shows it under MCP Servers, Configure.',
};

const continueDev: Application = {
  id: 'continue',
  title: 'Continue',
  docs: 'https://docs.continue.dev/customize/deep-dives/mcp',
  places: {
    user: {
      format: 'yaml',
      container: 'mcpServers',
      isList: true,
      header: { name: 'Local Agent', version: '1.0.0', schema: 'v1' },
      path: (machine) => inHome(machine, '.continue', 'config.yaml'),
      secrets: 'value',
    },
    project: common('json', {
      path: (machine) => inProject(machine, '.continue', 'mcpServers', 'mcp.json'),
      secrets: 'value',
    }),
  },
  program: commonProgram,
  address: ({ url, headers }) => ({
    type: 'streamable-http',
    url,
    ...(Object.keys(headers).length > 0 && { requestOptions: { headers } }),
  }),
  afterwards: 'Continue shows it under Tools in agent mode.',
};

const goose: Application = {
  id: 'goose',
  title: 'goose',
  docs: 'https://block.github.io/goose/docs/guides/config-files',
  places: {
    user: {
      format: 'yaml',
      container: 'extensions',
      path: (machine) =>
        machine.platform === 'win32'
          ? inAppData(machine, 'Block', 'goose', 'config', 'config.yaml')
          : inHome(machine, '.config', 'goose', 'config.yaml'),
      secrets: 'value',
    },
  },
  program: ({ name, command, args, env }) => ({
    enabled: true,
    type: 'stdio',
    name,
    cmd: command,
    args,
    ...some('envs', env),
    timeout: 300,
  }),
  address: ({ name, url, headers }) => ({
    enabled: true,
    type: 'streamable_http',
    name,
    uri: url,
    ...some('headers', headers),
    timeout: 300,
  }),
  afterwards: 'goose loads it in its next session.',
};

const lmStudio: Application = {
  id: 'lm-studio',
  title: 'LM Studio',
  docs: 'https://lmstudio.ai/docs/app/mcp',
  places: {
    user: common('jsonc', { path: (machine) => inHome(machine, '.lmstudio', 'mcp.json'), secrets: 'value' }),
  },
  program: commonProgram,
  address: commonAddress,
  afterwards: 'LM Studio shows it under Program, Install.',
};

/** Every application, in the order in which lists show them. */
export const CLIENTS: readonly Application[] = [
  ...[claude, claudeCode, cursor, vscode, codex, gemini, zed],
  ...[windsurf, cline, continueDev, goose, lmStudio],
];
