import { expect, it } from '@jest/globals';
import { createGroupCommit } from '../../src/plants/group-commit.js';

it('lets free lanes share what waits, and a lane that is free alone take all of it', async () => {
  const sizes: number[] = [];
  const commitAll = (group: readonly string[]): Promise<readonly string[]> => {
    sizes.push(group.length);
    return Promise.resolve(group);
  };
  const items = ['agave', 'briar', 'cedar', 'daisy', 'elder', 'fern'];
  const fit = (waiting: readonly unknown[], freeLanes: number): number =>
    Math.ceil(waiting.length / freeLanes);
  const addSix = (lanes: number): Promise<string[]> => {
    const commits = createGroupCommit(commitAll, { lanes, fit });
    return Promise.all(items.map((item) => commits.add(item)));
  };

  const shared = await addSix(3);
  const alone = await addSix(1);

  expect(sizes).toEqual([2, 2, 2, 6]);
  expect([shared, alone]).toEqual([items, items]);
});
