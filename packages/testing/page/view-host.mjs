/* global document, requestAnimationFrame, window */
/**
 * A host of views, in a page: the official bridge, a sandbox of another origin, and the frame of the view in it. The test process drives it
 * through `sigilViewHost`, and answers what the view asks for through the binding `sigilView`.
 */
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** A view that sends more messages than this without a pause floods its host. */
const FLOOD = 1000;
/** Milliseconds for a view that does not answer requests. */
const PATIENCE = 1000;

const ask = (what, value) => window.sigilView(what, value);
const tell = (what, value) => void ask(what, value).catch(() => undefined);
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** An answer of the test process, as the bridge needs it: errors are thrown. */
async function answer(what, value) {
  const { result, error } = await ask(what, value);
  if (!error) return result;
  throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
}

class ViewHost {
  #pending = 0;
  #received = 0;
  #sinceQuiet = 0;
  #last;
  #element = document.createElement('iframe');

  async open({ sandboxUrl, html, permissions, context, host }) {
    this.#element.title = 'view';
    this.#element.allow = Object.keys(permissions)
      .map((name) => `${FEATURES[name] ?? name} *`)
      .join('; ');
    this.#element.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
    document.body.append(this.#element);
    this.#watch();
    const bridge = new AppBridge(null, host, CAPABILITIES, { hostContext: context });
    this.bridge = bridge;
    const initialized = new Promise((resolve) => (bridge.oninitialized = resolve));
    bridge.onsandboxready = () => bridge.sendSandboxResourceReady({ html, permissions });
    this.#serve(bridge);
    const view = this.#element.contentWindow;
    await bridge.connect(new PostMessageTransport(view, view));
    this.#element.src = sandboxUrl;
    await initialized;
  }

  /** Sends what belongs to the call, in the order of the specification. */
  async deliver({ partialArguments, args, result, cancelled }) {
    for (const partial of partialArguments) await this.bridge.sendToolInputPartial({ arguments: partial });
    await this.bridge.sendToolInput({ arguments: args });
    if (cancelled !== undefined) await this.bridge.sendToolCancelled({ reason: cancelled });
    else if (result) await this.bridge.sendToolResult(result);
  }

  /** Waits until the view has read what it was sent, has no request under way, and has sent nothing for two frames. */
  async settle() {
    // Messages keep their order: what the view sends about the result arrives before this answer. A view need not know the method.
    await this.bridge.request({ method: 'ping' }, EmptyResultSchema, { timeout: PATIENCE }).catch(() => undefined);
    for (let seen = -1; seen !== this.#received || this.#pending > 0;) {
      seen = this.#received;
      await frame();
      await frame();
    }
    this.#sinceQuiet = 0;
  }

  change(context) {
    this.bridge.sendHostContextChange(context);
  }

  async end() {
    await this.bridge.teardownResource({}, { timeout: 2000 });
  }

  /** Sees each message of the view before the bridge does. */
  #watch() {
    window.addEventListener('message', ({ source, data }) => {
      if (source !== this.#element.contentWindow) return;
      this.#last = data;
      this.#received += 1;
      this.#sinceQuiet += 1;
      if (this.#sinceQuiet === FLOOD) {
        // The frame goes, because a view that never stops would keep the page from everything else.
        this.#element.remove();
        this.bridge.close();
        tell('flood', { count: FLOOD });
      }
      const isMessage = typeof data === 'object' && data !== null && data.jsonrpc === '2.0';
      if (!isMessage) tell('stray', { text: describe(data) });
    });
  }

  #serve(bridge) {
    const counted = (what) => async (params) => {
      this.#pending += 1;
      try {
        return await answer(what, params);
      } finally {
        this.#pending -= 1;
      }
    };
    bridge.oncalltool = counted('call');
    bridge.onreadresource = counted('read');
    bridge.onopenlink = counted('link');
    bridge.onmessage = counted('message');
    bridge.onupdatemodelcontext = counted('context');
    bridge.onrequestdisplaymode = counted('mode');
    bridge.onloggingmessage = (params) => tell('log', params);
    bridge.onerror = () => tell('stray', { text: describe(this.#last) });
    bridge.onsizechange = ({ width, height }) => {
      if (height !== undefined) this.#element.style.height = `${height}px`;
      tell('size', { width, height });
    };
  }
}

/** Permissions of a view -> features of a frame. */
const FEATURES = { clipboardWrite: 'clipboard-write' };

const CAPABILITIES = {
  openLinks: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: { text: {} },
  updateModelContext: { text: {}, structuredContent: {} },
};

function describe(data) {
  try {
    return (JSON.stringify(data) ?? String(data)).slice(0, 200);
  } catch {
    return typeof data;
  }
}

const host = new ViewHost();
window.sigilViewHost = () => host;
