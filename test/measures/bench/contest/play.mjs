/** Plays one part of the contest, on the core of the load, and prints its figures as JSON. `node play.mjs '<json: part, rounds, seconds>'` */
import { playHttp } from './play-http.mjs';
import { playStart } from './play-start.mjs';
import { playStdio } from './play-stdio.mjs';

const PARTS = { calls: playStdio, start: playStart, http: playHttp };
const { part, ...how } = JSON.parse(process.argv[2] ?? '{}');
process.stdout.write(JSON.stringify(await PARTS[part](how)));
