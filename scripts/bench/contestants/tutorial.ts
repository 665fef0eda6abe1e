import Database from 'better-sqlite3';
import { readSetup } from './setup.js';
import { createTutorialApp } from './tutorial-app.js';

const { port, databaseFile, token } = readSetup();
const db = new Database(databaseFile);
db.pragma('journal_mode = WAL');
// In WAL mode, FULL is what makes an insert durable before it returns.
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT)');
const insert = db.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?)');

createTutorialApp(token, ({ id, name, tag }) => insert.run(id, name, tag ?? null)).listen(
  port,
  '127.0.0.1',
);
