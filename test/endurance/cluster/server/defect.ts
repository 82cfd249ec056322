/** Defects that somebody may want the server to have, so that it is known that they are seen. Nothing but this server reads them. */

/** What may be wrong with the tools of the server. */
export const TOOL_DEFECTS = [
  'wrong-answers',
  'silence',
  'forgotten-rejections',
  'untold-changes',
  'double-work',
] as const;

/** What may be wrong with its stores. */
export const STORE_DEFECTS = [
  'left-keys',
  'undying-sessions',
  'endless-streams',
  'repeated-events',
  'lost-events',
  'deaf-bus',
  'lost-tasks',
] as const;

/** One of them. */
export type ServerDefect = (typeof TOOL_DEFECTS)[number] | (typeof STORE_DEFECTS)[number];

/** Every so manieth time. */
const SOMETIMES = 7;
const times = new Map<ServerDefect, number>();

/** Whether the server has this defect. */
export function hasDefect(defect: ServerDefect): boolean {
  return process.env['CLUSTER_DEFECT'] === defect;
}

/** Whether it shows this time. */
export function showsDefect(defect: ServerDefect): boolean {
  if (!hasDefect(defect)) return false;
  const time = (times.get(defect) ?? 0) + 1;
  times.set(defect, time);
  return time % SOMETIMES === 0;
}
