// #region keys
import { createHash, timingSafeEqual } from 'node:crypto';
import { Caller, type Auth } from '@sigil-mcp/core';

/** Accepts the keys in API_KEYS, such as "ada=4f1c...,ci=b07e...": a name and a key of at least 32 characters each. */
export function apiKeys(environment: NodeJS.ProcessEnv): Auth {
  const accepted = (environment['API_KEYS'] ?? '').split(',').map((entry) => {
    // At the first "=" only: keys in base64 may end in one.
    const [, id = '', key = ''] = /^([^=]*)=(.*)$/.exec(entry.trim()) ?? [];
    if (key.length < 32) throw new Error('API_KEYS needs a name and a key of at least 32 characters: ada=4f1c...');
    const caller = new Caller({
      id,
      kind: 'client',
      scopes: id === 'ci' ? ['notes:read'] : ['notes:read', 'notes:write'],
    });
    return { digest: digestOf(key), caller };
  });
  return {
    verify: (token) => {
      const digest = digestOf(token);
      // Compares with every key, in the same time for every token: no answer reveals a part of a key.
      const [match] = accepted.filter((each) => timingSafeEqual(each.digest, digest));
      return match?.caller; // undefined: 401
    },
  };
}

/** Digests have the same length, as timingSafeEqual requires. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
// #endregion keys
