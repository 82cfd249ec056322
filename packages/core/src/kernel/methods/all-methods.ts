/** The methods of the protocol. To add one, add a file to this folder and a line here. */
import type { MethodHandler } from '../method-handler';
import { complete } from './completion';
import { discover } from './discover';
import { extensionMethods } from './extension-methods';
import { initialize } from './initialize';
import { listMethods } from './lists';
import { setLogLevel } from './logging';
import type { MethodServices } from './method-services';
import { ping } from './ping';
import { getPrompt } from './prompts';
import { readResource } from './resources';
import { listen, subscribe, unsubscribe } from './subscriptions';
import { callTool } from './tools';

/** Makes the handlers of all methods for a server. */
export function allMethods(services: MethodServices): MethodHandler[] {
  return [
    initialize(services),
    ping(),
    discover(services),
    ...listMethods(services),
    callTool(services),
    readResource(services),
    getPrompt(services),
    complete(services),
    setLogLevel(),
    subscribe(services),
    unsubscribe(),
    listen(services),
    ...extensionMethods(services),
  ];
}
