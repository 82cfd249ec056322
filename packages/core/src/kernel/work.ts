/** Counts pending requests, per client and for the server, from the moment that they become asynchronous until their handlers have ended. */
import type { ClientLoad, ServerLoad } from '../limits/client-load';
import type { Account } from '../limits/account';
import type { KernelCall } from './compiled-method';

/** What one request adds to what is counted. */
export interface Work {
  /** Of its client. */
  readonly load: ClientLoad;
  /** Whether it is a stream of changes, which is no work. */
  readonly isLasting: boolean;
  /** Bytes of memory. */
  readonly bytes: number;
}

/** What all requests of a server are counted in. */
export interface WorkServices {
  readonly load: ServerLoad;
  readonly account: Account;
}

/** Counts a request. Returns what gives its place back, to be called once. */
export function beginWork({ load, isLasting, bytes }: Work, { load: ofServer, account }: WorkServices): () => void {
  const kind = isLasting ? 'streams' : 'calls';
  account.add(kind, bytes);
  if (isLasting) {
    load.streams += 1;
    load.hold(bytes);
  } else {
    ofServer.calls += 1;
    load.enter(bytes);
  }
  return () => {
    account.add(kind, -bytes);
    if (isLasting) {
      load.streams -= 1;
      load.hold(-bytes);
    } else {
      ofServer.calls -= 1;
      load.leave(bytes);
    }
  };
}

/** Gives the place of a call back, and lets go what was made for it, when nothing of it runs any more. */
export function endWork(call: KernelCall, leave: () => void): void {
  const { outliving } = call;
  const letGo = (): void => {
    // Work that was detached may have left a handler that runs on after its time limit.
    if (call.outliving !== outliving) return endWork(call, leave);
    leave();
    call.release();
  };
  if (outliving) outliving.then(letGo, letGo);
  else letGo();
}
