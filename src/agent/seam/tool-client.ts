/**
 * The beginning of a program that is run as a tool of a server and finds that server: `above` has the process ids of
 * its ancestors, `commandOf` their command lines, `portOf` the port on which one of them listens.
 */
const LOOKS = `
const { execFileSync, spawn } = process.getBuiltinModule('child_process');
const { appendFileSync, readdirSync, readFileSync, readlinkSync } = process.getBuiltinModule('fs');
const { setTimeout: pause } = process.getBuiltinModule('timers/promises');
const { env } = process;

const ps = (pid, what) => execFileSync('ps', ['-o', what + '=', '-p', String(pid)], { encoding: 'utf8' }).trim();
const above = [];
for (let pid = process.ppid; pid > 1; pid = Number(ps(pid, 'ppid'))) above.push(pid);
const commandOf = (pid) => ps(pid, 'args');
function portOf(pid) {
  try {
    if (process.platform !== 'linux') {
      const list = ['-a', '-p', String(pid), '-iTCP', '-sTCP:LISTEN', '-P', '-n', '-Fn'];
      return Number(/:(\\d+)$/m.exec(execFileSync('lsof', list, { encoding: 'utf8' }))?.[1]) || null;
    }
    const open = readdirSync('/proc/' + pid + '/fd').map((fd) => {
      try { return readlinkSync('/proc/' + pid + '/fd/' + fd); } catch { return ''; }
    });
    for (const row of readFileSync('/proc/net/tcp', 'utf8').split('\\n').slice(1)) {
      const words = row.trim().split(/\\s+/);
      if (words[3] === '0A' && open.includes('socket:[' + words[9] + ']')) return parseInt(words[1].split(':')[1], 16);
    }
  } catch {}
  return null;
}
`;

/** The end of one that nobody needs any more. */
const SECONDS_MAX = 20;

/**
 * A program that answers a question past us. `find`: statements of JavaScript that return where the server is, as JSON.
 * `answer`: statements that answer, with that as `where`; for a run of ours it is `{ run: FOLDER }`. What is found by a
 * tool is answered by a process of its own: the tool itself has to end before the next call is made.
 */
export function toolClient(find: string, answer: string): string {
  return `${LOOKS}
function find() {${find}}
const [given] = process.argv.slice(2);
if (given === undefined) {
  const place = JSON.stringify(find());
  spawn(process.execPath, [process.argv[1], place], { detached: true, stdio: 'ignore' }).unref();
} else {
  const where = JSON.parse(given);
  pause(${SECONDS_MAX * 1_000}, null, { ref: false }).then(() => process.exit(1));
  await (async () => {${answer}})();
}
`;
}
