import type { Settings } from './setting.js';
import { wholeNumber } from './settings.js';

/** What a service can have as well whose responses have items that are sent as they come. */
export interface StreamConfig {
  readonly maxStreams: number;
  readonly heartbeatMs: number;
}

/** What a service with streams takes from its environment beside {@link SERVICE_SETTINGS}. */
export const STREAM_SETTINGS: Settings<StreamConfig> = {
  maxStreams: {
    variable: 'MAX_STREAMS',
    fallback: '1000',
    meaning:
      'How many responses may be open whose items are sent as they come; further ones are refused with 503.',
    ...wholeNumber(0, 1_000_000),
  },
  heartbeatMs: {
    variable: 'HEARTBEAT_MS',
    fallback: '15000',
    meaning:
      'After how much silence a comment is written into a stream of events, in milliseconds.',
    ...wholeNumber(100, 3_600_000),
  },
};
