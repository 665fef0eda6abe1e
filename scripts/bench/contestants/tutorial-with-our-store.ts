import { openSqlitePlantStore } from '../../../src/plants/sqlite-plant-store.js';
import { readSetup } from './setup.js';
import { createTutorialApp } from './tutorial-app.js';

const { port, databaseFile, token } = readSetup();
const store = openSqlitePlantStore(databaseFile);

createTutorialApp(token, ({ id, ...plant }) =>
  store.create({ id: BigInt(id), ...plant }, 'bench'),
).listen(port, '127.0.0.1');
