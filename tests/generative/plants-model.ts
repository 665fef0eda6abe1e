import { isJsonObject, writeJson, type Case, type Expectation } from 'contract-testing/generate';

interface Create {
  readonly plant: string;
  /** Another plant under the same id was under way meanwhile. */
  hasRival: boolean;
}

/**
 * What createPlant has been told so far, and so what it must answer next: 200 to a new plant or the
 * same one again, 409 to another plant under a taken id. Where two plants are under way to one id,
 * either may win.
 */
export function createPlantsModel(): (sent: Case) => Expectation {
  const stored = new Map<bigint, string>();
  const underWay = new Map<bigint, Set<Create>>();
  return ({ broken, meaning, operation }) => {
    if (operation?.operationId !== 'createPlant') return {};
    const body = meaning?.body;
    if (broken !== 'nothing' || !isJsonObject(body) || typeof body.id !== 'bigint') return {};
    const { id, name = null } = body;
    const answer = writeJson({ name, ...('tag' in body && { tag: body.tag ?? null }) });
    const known = stored.get(id);
    const others = underWay.get(id) ?? new Set();
    const create: Create = { plant: answer, hasRival: false };
    for (const other of others) {
      if (other.plant === create.plant) continue;
      create.hasRival = true;
      other.hasRival = true;
    }
    underWay.set(id, others.add(create));
    return {
      statuses: () => {
        if (known !== undefined) return [known === create.plant ? 200 : 409];
        return create.hasRival ? [200, 409] : [200];
      },
      problemsOf: ({ status, text }) => {
        others.delete(create);
        if (status !== 200) return [];
        const before = stored.get(id) ?? create.plant;
        stored.set(id, before);
        return [
          ...(before === create.plant ? [] : [`the id ${id} belongs to ${before}`]),
          ...(text === answer ? [] : [`answered ${text} instead of ${answer}`]),
        ];
      },
    };
  };
}
