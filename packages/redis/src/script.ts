/** Scripts that Redis runs in one step. */
import { createHash } from 'node:crypto';

/** A Lua script, which Redis knows by its digest once it has received it. */
export class Script {
  readonly digest: string;

  constructor(readonly text: string) {
    this.digest = createHash('sha1').update(text).digest('hex');
  }
}
