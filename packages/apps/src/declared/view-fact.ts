/** The fact of `@View` and `view()`. */
import { createFact } from '@sigil-mcp/core';
import { APPS } from '../names';
import type { ViewOptions } from './view-options';

/** One view, as its author declared it. */
export interface DeclaredView {
  readonly uri: string;
  readonly options: ViewOptions;
  /** Whether a method or a function makes its HTML. */
  readonly isMade: boolean;
  /** The source file that declares it; undefined if the stack does not tell. */
  readonly source: string | undefined;
}

/** Makes a resource a view. */
export const VIEW = createFact<DeclaredView>({ label: '@View', extension: APPS });
