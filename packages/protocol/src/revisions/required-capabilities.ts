/** What a client must be able to do before it is asked something. */
import type { ElicitParams } from '../model/elicitation';
import type { ClientCapabilities } from '../model/lifecycle';
import type { CreateMessageParams } from '../model/sampling';
import type { ServerMethod, ServerOperations, ServerRequest } from '../model/server-requests';
import type { RevisionRules } from './revision-rules';

/** What is missing, in the shape of capabilities; undefined if nothing is. */
type Missing = ClientCapabilities | undefined;

type Findings = {
  readonly [M in ServerMethod]: (params: ServerOperations[M]['params'], has: ClientCapabilities) => Missing;
};

/** Compiles the check: capabilities that the client did not declare, or that the revision does not have. */
export function capabilityCheck(rules: RevisionRules): (request: ServerRequest, has: ClientCapabilities) => Missing {
  const knows = new Set<string>(rules.serverRequests);
  const knowsUrls = rules.fields.ElicitRequestURLParams !== undefined;
  const knowsTools = rules.fields.CreateMessageRequestParams?.includes('tools') === true;
  const findings: Findings = {
    'elicitation/create': (params, { elicitation }) =>
      missingElicitation(params, knowsUrls ? elicitation : elicitation && {}),
    'sampling/createMessage': (params, { sampling }) => missingSampling(params, sampling, knowsTools),
    'roots/list': (_params, { roots }) => (roots ? undefined : { roots: {} }),
  };
  const find = <M extends ServerMethod>({ method, params }: ServerRequest<M>, has: ClientCapabilities): Missing =>
    findings[method](params, has);
  return (request, has) => find(request, knows.has(request.method) ? has : {});
}

/** Without a mode, a client that can be asked at all can be asked with a form. */
function missingElicitation({ mode }: ElicitParams, elicitation: ClientCapabilities['elicitation']): Missing {
  if (mode === 'url') return elicitation?.url ? undefined : { elicitation: { url: {} } };
  if (!elicitation) return { elicitation: {} };
  return elicitation.form || !elicitation.url ? undefined : { elicitation: { form: {} } };
}

function missingSampling(
  params: CreateMessageParams,
  sampling: ClientCapabilities['sampling'],
  knowsTools: boolean,
): Missing {
  if (!speaksOfTools(params)) return sampling ? undefined : { sampling: {} };
  return knowsTools && sampling?.tools ? undefined : { sampling: { tools: {} } };
}

/** The messages of a loop speak of tools even where its last round offers none. */
function speaksOfTools({ tools, toolChoice, messages }: CreateMessageParams): boolean {
  if (tools !== undefined || toolChoice !== undefined) return true;
  return messages.some(({ content }) => content.some(({ type }) => type === 'tool_use' || type === 'tool_result'));
}
