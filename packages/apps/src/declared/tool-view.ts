/** What the options of a tool say about views: `@Tool('...', { view: 'chart', visibleTo: ['app'] })`. */
import { createFact } from '@sigil-mcp/core';
import { APPS } from '../names';
import type { ToolCaller } from './audience';

/** The view of a tool: the name of a member or a view, or a `ui://` URI. */
export const VIEW_OF = createFact<string>({ label: 'The option view', extension: APPS });

/** Who may call a tool. */
export const VISIBLE_TO = createFact<readonly ToolCaller[]>({ label: 'The option visibleTo', extension: APPS });
