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

/** A question of the server, as a handler of the client gets it. */
export interface Asked {
  readonly method: string;
  readonly params: object;
}

/** What the user, the model and the host of a client say to questions; a client that is given none declares nothing. */
export type AnswerAsked = (asked: Asked) => object;

/** What a client that answers declares. */
export const ASKABLE = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

/** What a client may be asked. */
export const QUESTIONS = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const;

/** Notifications that a test may want to see. */
export const CHANGES = [
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/elicitation/complete',
] as const;

/** One official client, connected to one process. */
export interface OfficialClient {
  readonly revision: string | undefined;
  readonly pid: number;
  readonly serverInfo: object | undefined;
  readonly capabilities: object | undefined;
  readonly instructions: string | undefined;
  /** `data` of the log messages that came, in order. */
  readonly logged: unknown[];
  /** The changes that it heard of, in order: methods of notifications. */
  readonly heard: string[];
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
  /** Says that the roots are others now. */
  rootsChanged(): Promise<void>;
  /** Subscribes to a resource and, where that has to be asked for, to the changes of lists. @returns gives it up */
  watch(uri: string): Promise<() => Promise<unknown>>;
  close(): Promise<void>;
}
