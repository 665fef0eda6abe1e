import { builtProgram } from './paths.js';

/** A database that is there before and after the program. */
export interface PlantDatabase {
  readonly url: string;
  readonly count: () => Promise<number>;
  /** Takes all plants out of it. */
  readonly empty: () => Promise<void>;
}

/** A program that serves `POST /plants`, started as a process of its own. See ../contestants/setup.ts. */
export interface Contestant {
  readonly name: string;
  /** What it is, or leaves out, as far as a reader of the table has to know. */
  readonly about: string;
  /** What node is started with, in the project's folder. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly checksResponses: boolean;
  readonly onlyFirstPass?: boolean;
  /**
   * How long it takes to be warm, where that is longer than for the others. They all get as long beside it,
   * so it takes part only where it is named.
   */
  readonly warmUpMs?: number;
  /** Where it keeps its plants, if not in a SQLite file of its own. */
  readonly database?: PlantDatabase;
  /** Whether it sends metrics and traces to a collector. */
  readonly hasCollector?: boolean;
  /** How many times its throughput ours must have. */
  readonly must?: number;
  /** How many times its throughput ours may have, of ours with something that costs. */
  readonly most?: number;
}

/** The one that the others are compared with. */
export const OURS: Contestant = {
  name: 'ours',
  about: 'as `npm start` runs it, but without a request log, which none of the others has',
  args: ['dist/src/main.js'],
  env: { LOG_LEVEL: 'warn' },
  checksResponses: true,
};

const OUR_STORE = { STORE: 'ours' };

export const CONTESTANTS: readonly Contestant[] = [
  OURS,
  {
    name: 'ours with its log',
    about: 'as `npm start` runs it, its request log going to a file',
    args: ['dist/src/main.js'],
    checksResponses: true,
    onlyFirstPass: true,
  },
  {
    name: 'ours with metrics',
    about: 'with OpenTelemetry’s metrics, for Prometheus to scrape',
    args: ['dist/src/main.js'],
    env: { LOG_LEVEL: 'warn', METRICS_PORT: '0' },
    checksResponses: true,
    onlyFirstPass: true,
    most: 1.053,
  },
  {
    name: 'ours with metrics and traces',
    about: 'with metrics, and traces of 1 % of the requests, sent to a collector',
    args: ['dist/src/main.js'],
    env: {
      LOG_LEVEL: 'warn',
      METRICS_PORT: '0',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    },
    hasCollector: true,
    checksResponses: true,
    onlyFirstPass: true,
    // V8 compiles a function once it has run some thousand times, and this traces 300 requests a second.
    warmUpMs: 15_000,
    most: 1.111,
  },
  {
    name: 'tutorial',
    about: 'express.json, express-openapi-validator, passport; an insert per request',
    args: [builtProgram('contestants/tutorial')],
    checksResponses: true,
    must: 12,
  },
  {
    name: 'tutorial + our store',
    about: 'the same with our store',
    args: [builtProgram('contestants/tutorial')],
    env: OUR_STORE,
    checksResponses: true,
    must: 6,
  },
  {
    name: 'fastify',
    about: 'Fastify, fastify-openapi-glue, @fastify/response-validation; an insert per request',
    args: [builtProgram('contestants/fastify')],
    checksResponses: true,
    must: 6.5,
  },
  {
    name: 'fastify + our store',
    about: 'the same with our store',
    args: [builtProgram('contestants/fastify')],
    env: OUR_STORE,
    checksResponses: true,
    must: 0.95,
  },
  {
    name: 'nest + our store',
    about: 'NestJS on Fastify with its ValidationPipe; no contract, no check of responses',
    args: [builtProgram('contestants/nest')],
    env: OUR_STORE,
    checksResponses: false,
  },
  {
    name: 'hono + our store',
    about: 'Hono, @hono/zod-openapi on node-server; no check of responses',
    args: [builtProgram('contestants/hono')],
    env: OUR_STORE,
    checksResponses: false,
  },
  {
    name: 'openapi-backend + our store',
    about: 'openapi-backend on express, with its response validation',
    args: [builtProgram('contestants/openapi-backend')],
    env: OUR_STORE,
    checksResponses: true,
  },
  {
    name: 'bare',
    about: 'node:http, JSON.parse and our store, no check of anything: the limit',
    args: [builtProgram('contestants/bare')],
    env: OUR_STORE,
    checksResponses: false,
    must: 0.8,
  },
];
