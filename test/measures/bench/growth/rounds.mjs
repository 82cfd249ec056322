/** Points of several series, played in shuffled rounds: whatever else the machine does falls on all of them alike. */

/**
 * @param {{ key: string, play: () => Promise<number> }[]} points `play` resolves to a figure
 * @param {{ rounds: number, warmUp: number }} how many rounds count, and how many go before them
 * @returns {Promise<Record<string, number[]>>} the figures of each point
 */
export async function playRounds(points, { rounds, warmUp }) {
  const figures = Object.fromEntries(points.map(({ key }) => [key, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { key, play } of shuffle(points)) {
      const figure = await play();
      if (round >= 0) figures[key].push(figure);
    }
  }
  return figures;
}

function shuffle(all) {
  return all
    .map((each) => [Math.random(), each])
    .sort(([one], [other]) => one - other)
    .map(([, each]) => each);
}
