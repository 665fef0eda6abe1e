import { loadContract, testContract, type Contract } from 'contract-testing/generate';
import { laterVersions } from './later-versions.js';
import { serveStubs, type StubOptions, type StubService } from './stub-service.js';

/** Small enough for bodies beyond it to be made as well. */
const MAX_BODY_BYTES = 4000;

export interface FixtureOptions extends Omit<StubOptions, 'maxBodyBytes'> {
  /** How many requests of each kind an operation gets. */
  readonly runs: number;
  /** What the caller proves itself with, by security scheme. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Holds generated requests against a fixture that is served, and against the same in each later version. */
export function testFixture(
  name: string,
  { runs, secrets = {}, ...options }: FixtureOptions,
): void {
  const path = new URL(`../../../../tests/fixtures/${name}.yaml`, import.meta.url).pathname;
  const contract = loadContract(path);
  testContract(contract, async () => ({
    ...(await serveVersions(contract, { ...options, maxBodyBytes: MAX_BODY_BYTES })),
    runs,
    caller: { secrets, maxBodyBytes: MAX_BODY_BYTES },
  }));
}

/**
 * Serves a contract, and the same in each later version of OpenAPI. Every request goes to all of these
 * services, and fails where one answers something else than the first.
 */
async function serveVersions(contract: Contract, options: StubOptions): Promise<StubService> {
  const first = await serveStubs(contract, contract.root, options);
  const later = await Promise.all(
    laterVersions(contract.root).map(async (root) => ({
      version: String(root.openapi),
      ...(await serveStubs(contract, root, options)),
    })),
  );
  return {
    client: {
      ...first.client,
      async send(request, label) {
        const answer = await first.client.send(request, label);
        for (const { version, client } of later) {
          const { status, text } = await client.send(request, label);
          if (status === answer.status && text === answer.text) continue;
          throw new Error(
            `answered ${status} ${text} in ${version} instead of ${answer.status} ${answer.text}`,
          );
        }
        return answer;
      },
    },
    expect(sent) {
      const expectations = [first, ...later].map(({ expect }) => expect(sent));
      return {
        ...expectations[0],
        problemsOf: (answer) => expectations.flatMap((one) => one.problemsOf?.(answer) ?? []),
      };
    },
    async close() {
      await Promise.all([first, ...later].map(({ close }) => close()));
    },
  };
}
