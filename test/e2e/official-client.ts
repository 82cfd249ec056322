/** The official clients behind one face, so that each test runs with all of them: they judge what they are answered. */
import { join } from 'node:path';
import { openHandshakeOfSdk } from './official-sdk-1';
import { openClient2 } from './official-client-2';

/** What a call may add. */
export interface CallOptions {
  readonly onprogress?: (progress: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => void;
  readonly signal?: AbortSignal;
  /** Least severe level of the log messages that the client wants of this call. */
  readonly logLevel?: 'debug' | 'info';
}

/** A value for an argument of a prompt, or a variable of a template, that is being typed. */
export interface Typing {
  readonly ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  readonly argument: { name: string; value: string };
}

/** One official client, connected to one process. */
export interface OfficialClient {
  readonly revision: string | undefined;
  readonly pid: number;
  readonly serverInfo: object | undefined;
  readonly capabilities: object | undefined;
  readonly instructions: string | undefined;
  /** `data` of the log messages that came, in order. */
  readonly logged: unknown[];
  /** What the process wrote to stderr. */
  stderr(): string;
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
  callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<object>;
  listResources(): Promise<object>;
  listResourceTemplates(): Promise<object>;
  readResource(uri: string): Promise<{ contents: object[] }>;
  listPrompts(): Promise<object>;
  getPrompt(name: string, args?: Record<string, string>): Promise<object>;
  complete(typing: Typing): Promise<object>;
  ping(): Promise<object>;
  setLoggingLevel(level: 'debug' | 'info' | 'warning'): Promise<object>;
  close(): Promise<void>;
}

/** A client, and how it meets a server. */
export interface Judge {
  readonly title: string;
  readonly revision: string;
  readonly handshake: boolean;
  /** The code under which the client reports a missing resource; client 2 does so in the newest words always. */
  readonly notFound: number;
  open(program: string): Promise<OfficialClient>;
}

const LAST_HANDSHAKE = '2025-11-25';
const PER_REQUEST = '2026-07-28';

/** Every official client in each of its ways of meeting a server. */
export const judges: readonly Judge[] = [
  { title: 'sdk 1', revision: LAST_HANDSHAKE, handshake: true, notFound: -32002, open: openHandshakeOfSdk },
  {
    title: 'client 2, handshake',
    revision: LAST_HANDSHAKE,
    handshake: true,
    notFound: -32602,
    open: (program) => openClient2(program, 'legacy'),
  },
  {
    title: 'client 2, per request',
    revision: PER_REQUEST,
    handshake: false,
    notFound: -32602,
    open: (program) => openClient2(program, { pin: PER_REQUEST }),
  },
  {
    title: 'client 2, its own choice',
    revision: PER_REQUEST,
    handshake: false,
    notFound: -32602,
    open: (program) => openClient2(program, 'auto'),
  },
];

/** The built program of an app. */
export function builtApp(app: string, program = 'main.js'): string {
  return join(__dirname, '..', '..', 'apps', app, 'dist', program);
}

/** Whether a process is still there. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
