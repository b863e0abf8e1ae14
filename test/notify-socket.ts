import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Node cannot receive datagrams on a Unix socket. Perl is part of every system with apt.
const RECEIVE = `
  use Socket; $| = 1;
  socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die; print "listening\\n";
  while (defined(recv($s, my $m, 65536, 0))) { print "$_\\n" for split /\\n/, $m }
`;

/** A notify socket like that of systemd, and every line that was sent to it. */
export async function notifySocket() {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-notify-'));
  const path = join(folder, 'notify');
  const perl = spawn('perl', ['-e', RECEIVE, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  perl.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  await once(perl.stdout, 'data');
  return {
    path,
    /** The received lines, except those of the receiver and of the tool that sends them. */
    lines: (): string[] => text.split('\n').filter((line) => line !== '' && !/^(listening|BARRIER=1)$/.test(line)),
    [Symbol.asyncDispose]: async () => {
      const gone = once(perl, 'exit');
      perl.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
