import { rmSync } from 'node:fs';
import { openSqlitePlantStore } from '../../src/plants/sqlite-plant-store.js';
import { query, storedPlants } from '../support/database.js';
import { describeStores, type StoreUnderTest } from '../support/plant-store-suite.js';
import { createFolder } from '../support/service.js';

function sqliteStore(): StoreUnderTest {
  const folder = createFolder();
  const path = `${folder}/plants.db`;
  return {
    open: () => openSqlitePlantStore(path),
    plants: () => storedPlants(path),
    query: (sql) => query(path, sql).map(Object.values),
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

describeStores({ 'the SQLite store': sqliteStore });
