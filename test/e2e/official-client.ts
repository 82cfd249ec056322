/** The one face of the official clients, so that each test runs with all of them. */

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
