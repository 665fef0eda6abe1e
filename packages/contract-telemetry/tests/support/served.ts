import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { pino } from 'pino';
import {
  createContractApp,
  parseContract,
  readSettings,
  type ApiError,
  type Telemetry,
} from 'contract-server';
import { openTelemetry, telemetrySettings } from '../../src/index.js';

export interface Served {
  readonly app: Express;
  readonly telemetry: Telemetry;
  readonly metricsUrl: string;
  /** The samples of one metric, each with its labels, as the text format has them. */
  scrape(name: string): Promise<string[]>;
}

const error = { description: 'An error.', content: { 'application/json': { schema: {} } } };

/** A service of one operation, `GET /things/{id}` below `/v1`, with metrics. */
export async function serveThings(answer: () => unknown): Promise<Served> {
  let metricsUrl = '';
  const logger = pino({ enabled: false });
  const telemetry = await openTelemetry({
    config: readSettings(telemetrySettings('things'), { METRICS_PORT: '0' }),
    logger: Object.assign(logger, {
      info: (line: { metricsUrl: string }) => {
        metricsUrl = line.metricsUrl;
      },
    }),
    droppedLines: () => 3,
  });
  if (telemetry === undefined) throw new Error('telemetry is off');
  const app = await createContractApp<Record<string, never>, unknown>({
    document: await parseContract({
      openapi: '3.1.0',
      info: { title: 'things', version: '1.0.0' },
      paths: {
        '/things/{id}': {
          get: {
            operationId: 'getThing',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
            responses: { '204': { description: 'Done.' }, default: error },
          },
        },
      },
      'x-unmatched-responses': { '204': { description: 'Options.' }, default: error },
    }),
    config: {
      basePath: '/v1',
      maxBodyBytes: 1,
      requestTimeoutMs: 1000,
      trustProxy: false,
      docs: false,
      corsOrigins: [],
    },
    handlers: { getThing: answer },
    strategies: {},
    errorBody: ({ code, message }: ApiError) => ({ error: code, message }),
    observer: telemetry.observer,
  });
  return {
    app,
    telemetry,
    metricsUrl,
    async scrape(name) {
      // The end of an exchange comes after its answer.
      await pause(0);
      const text = await (await fetch(metricsUrl)).text();
      return text.split('\n').filter((line) => line.startsWith(name));
    },
  };
}
