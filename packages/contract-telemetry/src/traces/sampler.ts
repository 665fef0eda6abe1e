import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace-base';
import type { TelemetryConfig } from '../settings.js';

/** The sampler that OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG name. */
export function createSampler({
  tracesSampler,
  tracesSamplerArg,
}: Pick<TelemetryConfig, 'tracesSampler' | 'tracesSamplerArg'>): Sampler {
  const root = createRootSampler(tracesSampler.replace('parentbased_', ''), tracesSamplerArg);
  return tracesSampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function createRootSampler(name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}
