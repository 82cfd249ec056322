/** Formats the requirements for readers: the counts per area, then everything that is not proven. */

/** Takes requirements with their state (proven, open, later, untestable) and returns the text. */
export function writeReport(judged) {
  const applies = judged.filter(({ state }) => state === 'proven' || state === 'open');
  const proven = applies.filter(({ state }) => state === 'proven');
  return [
    `${proven.length} of the ${applies.length} requirements that apply so far are proven.`,
    '',
    ...areaLines(applies),
    ...section('Not proven', judged, 'open', ({ level, requirement }) => `${level}: ${requirement}`),
    ...section('Not testable', judged, 'untestable', withReason),
    ...section('Later', judged, 'later', withReason),
    '',
  ].join('\n');
}

const withReason = ({ level, requirement, reason }) => `${level}: ${requirement} (${reason})`;

function areaLines(applies) {
  const areas = [...new Set(applies.map(({ area }) => area))];
  return areas.map((area) => {
    const own = applies.filter((each) => each.area === area);
    const proven = own.filter(({ state }) => state === 'proven').length;
    return `  ${area.padEnd(14)} ${String(proven).padStart(3)} of ${own.length}`;
  });
}

function section(title, judged, wanted, write) {
  const own = judged.filter(({ state }) => state === wanted);
  if (own.length === 0) return [];
  return ['', `${title} (${own.length}):`, ...own.map((each) => `  ${each.id.padEnd(11)} ${write(each)}`)];
}
