/** Loaded before a server: SIGUSR2 starts a CPU profile, the next one writes it to `PROFILE_FILE` and ends the process. */
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');

const session = new Session();
session.connect();
const post = (method, parameters) =>
  new Promise((resolve, reject) => {
    session.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result)));
  });

async function begin() {
  await post('Profiler.enable');
  await post('Profiler.setSamplingInterval', { interval: 200 });
  await post('Profiler.start');
  process.once('SIGUSR2', () => void end());
}

async function end() {
  const { profile } = await post('Profiler.stop');
  writeFileSync(process.env.PROFILE_FILE, JSON.stringify(profile));
  process.exit(0);
}

process.once('SIGUSR2', () => void begin());
