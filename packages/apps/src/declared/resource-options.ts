/** The options of a view -> those of the resource that it is. */
import { viewMeta } from './view-meta';
import type { ViewOptions } from './view-options';

/** What a view has of a resource. What the options contain besides is reported when the server is defined. */
export function resourceOptionsOf(options: ViewOptions) {
  const { name, title, description, cache, icons } = options;
  const meta = viewMeta(options);
  return {
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(cache !== undefined && { cache }),
    ...(icons !== undefined && { icons }),
    ...(meta && { meta }),
  };
}
