/** A call in other forms: for a terminal, for a program, for the clipboard. */
import { html, useState } from './markup.js';

/** Milliseconds for which a button says that it has copied. */
const SAID = 1500;

/** Copies a text. @param {{ text: string | (() => string), label: string, short?: boolean }} props */
export function CopyButton({ text, label, short = false }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), SAID);
  };
  return html`<button class="quiet" type="button" aria-label=${short ? label : undefined} onClick=${copy}>
    ${isCopied ? 'Copied' : short ? 'Copy' : label}
  </button>`;
}

/** A text as one word of a shell. @param {string} text */
export function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The call as a command of sigil.
 * @param {{ kind: string, name: string, args: any, address: string | undefined, revision: string, token: string }} call
 */
export function asCommand({ kind, name, args, address, token }) {
  const target = address === undefined ? 'src/main.ts' : address;
  const secret = token === '' || address === undefined ? '' : ' --token "$TOKEN"';
  if (kind === 'resource') return `npx sigil read ${quoted(target)} ${quoted(name)}${secret}`;
  const verb = kind === 'prompt' ? 'prompt' : 'call';
  const words = Object.entries(args).map(([key, value]) =>
    quoted(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );
  // Values that are not flat are one JSON object on stdin.
  const isFlat = Object.values(args).every((value) => typeof value !== 'object' || value === null);
  if (isFlat) return ['npx sigil', verb, quoted(target), quoted(name), ...words].join(' ') + secret;
  return `echo ${quoted(JSON.stringify(args))} | npx sigil ${verb} ${quoted(target)} ${quoted(name)} -${secret}`;
}

/**
 * The first message of a row as a command of curl; what is secret is a variable of the shell.
 * @param {any} row @param {string} address
 */
export function asCurl({ passed }, address) {
  const [{ message, head }] = passed;
  const headers = Object.entries(head?.headers ?? {}).filter(([name]) =>
    /^(accept|content-type|mcp-|authorization)/.test(name),
  );
  const named = headers.map(([name, value]) => {
    const shown = name === 'authorization' ? 'Bearer $TOKEN' : name === 'mcp-session-id' ? '$SESSION' : String(value);
    return `  -H ${shown.includes('$') ? `"${name}: ${shown}"` : quoted(`${name}: ${shown}`)} \\\n`;
  });
  return `curl -sN ${quoted(address)} \\\n${named.join('')}  -d ${quoted(JSON.stringify(withoutMark(message)))}`;
}

/** The message without the name that the page gives its own calls. @param {any} message */
export function withoutMark(message) {
  const { 'dev.sigil/call': _call, progressToken: _token, ...meta } = message.params?._meta ?? {};
  const { _meta, ...params } = message.params ?? {};
  return { ...message, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } };
}
