import type { StoredPlant } from './stored-plant.js';

const PAGE_ROWS = 1000;
/** Counted in UTF-16 code units. */
const PAGE_CHARACTERS = 1_048_576;

/** Puts plants together into pages; none holds many of the longest ones. */
export function* paginate(plants: Iterable<StoredPlant>): Generator<StoredPlant[], void> {
  let page: StoredPlant[] = [];
  let characters = 0;
  for (const plant of plants) {
    page.push(plant);
    characters += plant.name.length + (plant.tag?.length ?? 0);
    if (page.length < PAGE_ROWS && characters < PAGE_CHARACTERS) continue;
    yield page;
    page = [];
    characters = 0;
  }
  if (page.length > 0) yield page;
}
