/** The official client, loaded only by the commands that connect, so that `sigil --help` does not wait for it. */
import type * as McpSkills from '@modelcontextprotocol/client/ext/skills' with { 'resolution-mode': 'import' };
import type * as Mcp from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };

/** The exports of the official client. */
export type OfficialClient = typeof Mcp;
/** A client of the official package. */
export type Client = Mcp.Client;
/** A transport of the official client. */
export type Transport = Mcp.Transport;
/** A message of the protocol. */
export type Message = Mcp.JSONRPCMessage;
/** The options of a request: its deadline, its signal, its progress callback. */
export type RequestOptions = Mcp.RequestOptions;
/** A tool as a server lists it. */
export type Tool = Mcp.Tool;
/** A resource as a server lists it. */
export type Resource = Mcp.Resource;
/** A resource template as a server lists it. */
export type ResourceTemplate = Mcp.ResourceTemplateType;
/** A prompt as a server lists it. */
export type Prompt = Mcp.Prompt;
/** The skills of a server: those that are valid, and those that hosts refuse. */
export type SkillListing = McpSkills.SkillListing;
/** A part of a tool's result or of a prompt's message. */
export type ContentBlock = Mcp.ContentBlock;
/** The result of a tool. */
export type ToolResult = Mcp.CallToolResult;
/** The contents of a resource. */
export type ResourceContents = Mcp.ReadResourceResult['contents'][number];
/** A server's question to a person. */
export type ElicitRequest = Mcp.ElicitRequest;
/** The person's answer. */
export type ElicitResult = Mcp.ElicitResult;
/** A server's question to a model. */
export type SamplingRequest = Mcp.CreateMessageRequest;
/** The model's answer. */
export type SamplingResult = Mcp.CreateMessageResult;
/** The lowest level that a server logs. */
export type LoggingLevel = Mcp.LoggingLevel;

/** The callbacks of the official client during a sign-in. */
export type OAuthProvider = Mcp.OAuthClientProvider;
/** The state that the official client stores during a sign-in. */
export interface OAuthState {
  tokens?: Mcp.StoredOAuthTokens;
  client?: Mcp.StoredOAuthClientInformation;
  discovery?: Mcp.OAuthDiscoveryState;
  codeVerifier?: string;
  /** The requested scopes, separated by spaces. */
  scope?: string | undefined;
}

/** Loads the official client, an ES module, by `import`. */
export function loadOfficialClient(): Promise<OfficialClient> {
  return import('@modelcontextprotocol/client');
}

/** Loads the part of the official client that knows skills, for servers that have some. */
export function loadOfficialSkills(): Promise<typeof McpSkills> {
  return import('@modelcontextprotocol/client/ext/skills');
}

/** Whether an error of the client means that the connection is closed. */
export function isClosed(error: unknown, { SdkError, SdkErrorCode, SdkHttpError }: OfficialClient): boolean {
  if (error instanceof SdkHttpError) return true;
  if (!(error instanceof SdkError)) return false;
  return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(error.code);
}

/** Whether an error is neither the protocol's nor the client's: the older HTTP transports throw such errors after a refusal. */
export function isForeign(error: unknown, { ProtocolError, SdkError }: OfficialClient): boolean {
  return !(error instanceof ProtocolError) && !(error instanceof SdkError);
}

/** Whether a server answered with a protocol error. */
export function isAnswer(
  error: unknown,
  { ProtocolError }: OfficialClient,
): error is Error & { readonly code: number } {
  return error instanceof ProtocolError;
}
