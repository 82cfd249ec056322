/** The methods of the protocol; a new one is a file beside the others and a line here. */
import type { MethodHandler } from '../method-handler';
import { complete } from './completion';
import { discover } from './discover';
import { initialize } from './initialize';
import { setLogLevel } from './logging';
import type { MethodParts } from './method-parts';
import { ping } from './ping';
import { getPrompt, listPrompts } from './prompts';
import { listResourceTemplates } from './resource-templates';
import { listResources, readResource } from './resources';
import { listen, subscribe, unsubscribe } from './subscriptions';
import { callTool, listTools } from './tools';

/** All methods, for a server of these parts. */
export function allMethods(parts: MethodParts): MethodHandler[] {
  return [
    initialize(parts),
    ping(),
    discover(parts),
    listTools(parts),
    callTool(parts),
    listResources(parts),
    listResourceTemplates(parts),
    readResource(parts),
    listPrompts(parts),
    getPrompt(parts),
    complete(parts),
    setLogLevel(),
    subscribe(parts),
    unsubscribe(),
    listen(parts),
  ];
}
