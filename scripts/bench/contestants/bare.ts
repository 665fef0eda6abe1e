import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { insert } from './insert.js';
import { readSetup, type PlantBody } from './setup.js';

async function create(text: string, res: ServerResponse): Promise<void> {
  const plant = JSON.parse(text) as PlantBody; // nothing is checked here
  await insert(plant);
  const body = JSON.stringify({ name: plant.name, tag: plant.tag });
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

createServer(serve).listen(readSetup().port, '127.0.0.1');
