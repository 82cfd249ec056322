/** What running a request needs of the kernel. */
import type { Implementation, Method, Revision } from '@sigil-mcp/protocol';
import type { AskingRules } from '../calls/call-questions';
import type { Logger } from '../logging/logger';
import type { CallState } from '../calls/call-state';
import type { Step } from '../pipeline/compose-interceptors';
import type { Entry } from '../registry/entry';
import type { MaskError } from './mask-error';
import type { WrittenResults } from './written-results';

/** A call whose entry is one of the registry's. */
export type KernelCall = CallState<Method, Entry>;

/** A method, ready to run. */
export interface CompiledMethod {
  readonly method: Method;
  readonly locate: (call: KernelCall) => void;
  readonly step: Step<KernelCall>;
}

/** What running a request needs of the kernel. */
export interface KernelParts {
  readonly server: Implementation;
  readonly logger: Logger;
  readonly maskError: MaskError;
  readonly results: WrittenResults;
  readonly asking: AskingRules;
  /** Undefined where the revision or this server does not have the method. */
  findMethod(name: string, revision: Revision): CompiledMethod | undefined;
}
