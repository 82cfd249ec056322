/** The view of a tool (MCP Apps), as a host shows it: in a sandbox of another origin, which reaches the server through the page alone. */
import { post } from './api.js';
import { newCall } from './exchange-detail.js';
import { html, useEffect, useRef, useState } from './markup.js';
import { store, useStore } from './store.js';

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
/** Pixels. */
const [LOWEST, HIGHEST] = [60, 1200];

/** The URI of the view of a tool; undefined without one. @param {any} tool @returns {string | undefined} */
export function viewOf(tool) {
  return tool._meta?.ui?.resourceUri ?? tool._meta?.['ui/resourceUri'];
}

/** @param {{ tool: any, args: any, result: any }} props */
export function ViewFrame({ tool, args, result }) {
  const { speaker } = useStore();
  const frame = useRef(/** @type {any} */ (null));
  const [view, setView] = useState(/** @type {any} */ (undefined));
  const [height, setHeight] = useState(200);
  useEffect(() => void post('view', { ...speaker, uri: viewOf(tool) }).then(setView), [viewOf(tool), result]);
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const context = () => ({ theme: dark.matches ? 'dark' : 'light' });
    // The frame has no origin that could be named; the policy of the page lets it show nothing but views.
    const send = (/** @type {object} */ message) =>
      frame.current?.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*');
    const receive = async (/** @type {MessageEvent} */ { source, data }) => {
      if (!source || source !== frame.current?.contentWindow || data?.jsonrpc !== '2.0') return;
      const { id, method, params = {} } = data;
      if (method === 'ui/notifications/initialized') {
        send({ method: 'ui/notifications/tool-input', params: { arguments: args } });
        send({ method: 'ui/notifications/tool-result', params: result });
      } else if (method === 'ui/notifications/size-changed' && Number.isFinite(params.height))
        setHeight(Math.min(HIGHEST, Math.max(LOWEST, params.height)));
      else if (method !== undefined && id !== undefined)
        send({ id, ...(await answer(method, params, tool, context())) });
    };
    const look = () => send({ method: 'ui/notifications/host-context-changed', params: context() });
    window.addEventListener('message', receive);
    dark.addEventListener('change', look);
    return () => {
      window.removeEventListener('message', receive);
      dark.removeEventListener('change', look);
    };
  }, [tool, args, result]);
  if (view?.problem) return html`<p class="problem" role="alert">${view.problem}</p>`;
  return (
    view &&
    html`<iframe
      class="view"
      title=${`The view of ${tool.name}`}
      sandbox="allow-scripts allow-forms"
      height=${height}
      ref=${frame}
      src=${view.url}
    ></iframe>`
  );
}

/**
 * What a view may ask of the page. Its calls are calls of the page: they stand in the traffic.
 * @param {string} method @param {any} params @param {any} tool @param {any} context
 * @returns {Promise<{ result: any } | { error: { code: number, message: string } }>}
 */
async function answer(method, params, tool, context) {
  const { name, uri } = params;
  switch (method) {
    case 'ping':
      return { result: {} };
    case 'ui/initialize':
      return { result: welcome(params, tool, context) };
    case 'tools/call':
      if (isForViews(name)) return ask(method, { name, arguments: params.arguments ?? {} });
      return { error: { code: INTERNAL_ERROR, message: `Views may not call the tool ${name}.` } };
    case 'resources/read':
      return ask(method, { uri });
    default:
      return { error: { code: METHOD_NOT_FOUND, message: `The page of sigil dev has no ${method}.` } };
  }
}

/** @param {any} params @param {any} tool @param {any} context */
function welcome({ protocolVersion }, tool, context) {
  return {
    protocolVersion,
    hostInfo: { name: 'sigil dev page', version: '1.0.0' },
    hostCapabilities: { serverTools: {}, serverResources: {}, logging: {} },
    hostContext: {
      ...context,
      displayMode: 'inline',
      availableDisplayModes: ['inline'],
      locale: navigator.language,
      platform: 'web',
      toolInfo: { tool },
    },
  };
}

/** Whether a tool is visible to views. @param {unknown} name */
function isForViews(name) {
  const found = store.lists?.tools.find((tool) => tool.name === name);
  return found !== undefined && (found._meta?.ui?.visibility ?? ['app']).includes('app');
}

/** @param {string} method @param {object} params */
async function ask(method, params) {
  const { result, problem } = await post('call', { id: newCall(), ...store.speaker, method, params });
  return problem === undefined ? { result } : { error: { code: INTERNAL_ERROR, message: problem } };
}
