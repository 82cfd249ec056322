/** The official client, loaded by the commands that connect: `sigil --help` need not wait for it. */
import type * as Mcp from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };

/** What the official client exports. */
export type OfficialClient = typeof Mcp;
/** A client of the official package. */
export type Client = Mcp.Client;
/** What moves its messages. */
export type Transport = Mcp.Transport;
/** What travels. */
export type Message = Mcp.JSONRPCMessage;
/** How a call is made. */
export type RequestOptions = Mcp.RequestOptions;
/** A tool as a server lists it. */
export type Tool = Mcp.Tool;
/** A resource as a server lists it. */
export type Resource = Mcp.Resource;
/** A resource template as a server lists it. */
export type ResourceTemplate = Mcp.ResourceTemplateType;
/** A prompt as a server lists it. */
export type Prompt = Mcp.Prompt;
/** A part of a tool's result or of a prompt's message. */
export type ContentBlock = Mcp.ContentBlock;
/** What a tool answers. */
export type ToolResult = Mcp.CallToolResult;
/** What a resource holds. */
export type ResourceContents = Mcp.ReadResourceResult['contents'][number];
/** What a server asks of a person. */
export type ElicitRequest = Mcp.ElicitRequest;
/** What the person answers. */
export type ElicitResult = Mcp.ElicitResult;
/** What a server asks of a model. */
export type SamplingRequest = Mcp.CreateMessageRequest;
/** What the model answers. */
export type SamplingResult = Mcp.CreateMessageResult;
/** How much a server is asked to log. */
export type LoggingLevel = Mcp.LoggingLevel;

/** Loads it: an ES module, hence by `import`. */
export function loadOfficialClient(): Promise<OfficialClient> {
  return import('@modelcontextprotocol/client');
}
