import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openSqlitePlantStore } from '../../../src/plants/sqlite-plant-store.js';
import { readSetup } from './setup.js';

const { port, databaseFile } = readSetup();
const store = openSqlitePlantStore(databaseFile);

async function create(text: string, res: ServerResponse): Promise<void> {
  const { id, ...plant } = JSON.parse(text) as { id: number; name: string; tag: string };
  await store.create({ id: BigInt(id), ...plant }, 'bench');
  const body = JSON.stringify(plant);
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(body);
}

function serve(req: IncomingMessage, res: ServerResponse): void {
  let text = '';
  req.setEncoding('utf8');
  req.on('data', (chunk: string) => (text += chunk));
  req.on('end', () => {
    create(text, res).catch(() => res.writeHead(500).end());
  });
}

createServer(serve).listen(port, '127.0.0.1');
