// A client in a process of its own, so that it takes no time from who watches: on each of its connections
// it sends one request over and over, without waiting for an answer.
import { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import process from 'node:process';
import { setInterval } from 'node:timers';

const [port, connections, manner = '', request = ''] = process.argv.slice(2);
const isReading = !manner.includes('deaf');
const isPoliteFirst = manner.includes('polite');
const chunk = Buffer.from(request.repeat(Math.ceil(262_144 / request.length)));
// The watcher shares the machine with it, which no watcher of a real attack does.
setPriority(10);

let sent = 0;

for (let opened = 0; opened < Number(connections); opened++) {
  const socket = connect(Number(port), '127.0.0.1');
  const flood = () => {
    do sent += chunk.length;
    while (socket.write(chunk));
  };
  socket.on('error', () => undefined);
  socket.on('drain', flood);
  if (isPoliteFirst) {
    socket.write(request);
    socket.once('data', flood);
  } else flood();
  if (isReading) socket.resume();
  else if (!isPoliteFirst) socket.pause();
}

setInterval(() => process.send?.(sent), 100);
