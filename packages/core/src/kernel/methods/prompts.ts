/** `prompts/get`. */
import type { GetPromptResult } from '@sigil-mcp/protocol';
import type { MaybePromise } from '@sigil-mcp/base';
import { unknownPrompt } from '../../errors/unknown-entry';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** Gives the messages of a prompt. */
export function getPrompt({ registry }: MethodServices): MethodHandler<'prompts/get'> {
  return {
    method: 'prompts/get',
    capability: 'prompts',
    locate(call) {
      call.entry = registry.find('prompt', call.params.name);
      call.arguments = call.params.arguments;
    },
    handle(call) {
      const { entry, params } = call;
      if (!entry) throw unknownPrompt(params.name);
      // The entry's output was shaped for a prompt when it was compiled.
      return entry.invoke(call) as MaybePromise<GetPromptResult>;
    },
  };
}
