/**
 * The names of the conventions of OpenTelemetry for the Model Context Protocol, as data: they are in development, and may change.
 * @see https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md
 */

/** The instrumentation scope of what this package records. */
export const SCOPE = '@sigil-mcp/otel';

/** The attributes of spans and metrics. */
export const ATTRIBUTES = {
  method: 'mcp.method.name',
  protocolVersion: 'mcp.protocol.version',
  resourceUri: 'mcp.resource.uri',
  session: 'mcp.session.id',
  tool: 'gen_ai.tool.name',
  prompt: 'gen_ai.prompt.name',
  operation: 'gen_ai.operation.name',
  arguments: 'gen_ai.tool.call.arguments',
  result: 'gen_ai.tool.call.result',
  requestId: 'jsonrpc.request.id',
  statusCode: 'rpc.response.status_code',
  httpStatus: 'http.response.status_code',
  errorType: 'error.type',
  transport: 'network.transport',
  protocol: 'network.protocol.name',
  address: 'client.address',
} as const;

/** The metrics, in seconds. */
export const METRICS = {
  requests: 'mcp.server.operation.duration',
  questions: 'mcp.client.operation.duration',
  sessions: 'mcp.server.session.duration',
} as const;

/** What the conventions do not know: names of this package. */
export const OWN = {
  limit: 'sigil.limit',
  guard: 'sigil.guard',
  verdict: 'sigil.verdict',
  streamKind: 'sigil.stream.kind',
  streamEnd: 'sigil.stream.end',
  store: 'sigil.store',
  command: 'sigil.store.command',
  alias: 'sigil.tool.alias',
  round: 'sigil.round',
  questionKey: 'sigil.question.key',
  isTask: 'sigil.task',
  server: 'sigil.server',
  heldKind: 'sigil.held.kind',
  statistic: 'sigil.event_loop.statistic',
} as const;

/** The metrics of this package. */
export const OWN_METRICS = {
  running: 'sigil.server.requests.running',
  sessions: 'sigil.server.sessions',
  streams: 'sigil.server.streams',
  refusals: 'sigil.server.refusals',
  stores: 'sigil.store.command.duration',
  held: 'sigil.server.held',
  heldLimit: 'sigil.server.held.limit',
  eventLoop: 'sigil.event_loop.delay',
} as const;

/** The bounds that the conventions advise, in seconds. */
export const BOUNDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Commands of stores are shorter than most requests. */
export const STORE_BOUNDS: readonly number[] = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10,
];

/** `error.type` of a result with `isError`. */
export const TOOL_ERROR = 'tool_error';
/** Replaces every name that a client made up. */
export const OTHER = '_OTHER';
/** `gen_ai.operation.name` of `tools/call`. */
export const EXECUTE_TOOL = 'execute_tool';
/** The event on a span whose answer is a question. */
export const INPUT_REQUIRED = 'mcp.input_required';
