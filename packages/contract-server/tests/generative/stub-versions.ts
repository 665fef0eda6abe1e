import type { Contract } from 'contract-testing/generate';
import { laterVersions } from './later-versions.js';
import { serveStubs, type StubOptions, type StubService } from './stub-service.js';

/**
 * Serves a contract, and the same in each later version of OpenAPI. Every request goes to all of these
 * services, and fails where one answers something else than the first.
 */
export async function serveVersions(
  contract: Contract,
  options: StubOptions,
): Promise<StubService> {
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
