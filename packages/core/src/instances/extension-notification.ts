/** Notifications of extensions, as other instances of a server send them. */
import type { ExtensionNotification } from '@sigil-mcp/protocol';

/** Reads one; undefined for any other value. */
export function readExtensionNotification(read: Readonly<Record<string, unknown>>): ExtensionNotification | undefined {
  const { method, extension, notification, params, principal, subject } = read;
  if (method !== 'extension' || typeof extension !== 'string' || typeof notification !== 'string') return undefined;
  if (typeof params !== 'object' || params === null) return undefined;
  return {
    method,
    extension,
    notification,
    params,
    principal: typeof principal === 'string' ? principal : undefined,
    subject: typeof subject === 'string' ? subject : undefined,
  };
}
