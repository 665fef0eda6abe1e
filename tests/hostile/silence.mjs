// A client in a process of its own, that opens connections and says nothing.
import { connect } from 'node:net';
import process from 'node:process';
import { setTimeout } from 'node:timers';

const [port, connections] = process.argv.slice(2);
let opened = 0;

function open() {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.on('connect', () => {
    if (++opened === Number(connections)) process.send?.('all of them');
  });
}

// Not faster than they can be accepted.
for (let begun = 0; begun < Number(connections); begun++) setTimeout(open, begun / 5);
