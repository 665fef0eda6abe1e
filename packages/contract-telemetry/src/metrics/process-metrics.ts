import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Meter } from '@opentelemetry/api';

/** How often the event loop is looked at. What was waited for is the rest of what it took. */
const RESOLUTION_MS = 10;
/** What is said of the event loop is of so long a time, whoever asks and however often. */
const WINDOW_MS = 10_000;

interface Window {
  /** In seconds, by the part of the name that tells them apart. */
  readonly delays: Readonly<Record<string, number>>;
  readonly utilization: number;
}

/**
 * Measures the process: its event loop, its memory and its processor time.
 * @returns stops the measurement
 */
export function measureProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let utilizationBefore = performance.eventLoopUtilization();
  let window = readWindow();

  function readWindow(): Window {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, utilizationBefore);
    utilizationBefore = now;
    const delays = {
      mean: secondsOf(delay.mean),
      p50: secondsOf(delay.percentile(50)),
      p90: secondsOf(delay.percentile(90)),
      p99: secondsOf(delay.percentile(99)),
      max: secondsOf(delay.max),
    };
    delay.reset();
    return { delays, utilization };
  }

  const timer = setInterval(() => (window = readWindow()), WINDOW_MS).unref();

  for (const name of Object.keys(window.delays)) {
    meter
      .createObservableGauge(`nodejs.eventloop.delay.${name}`, {
        description: 'How late the event loop was, over ten seconds.',
        unit: 's',
      })
      .addCallback((result) => {
        result.observe(window.delays[name] ?? 0);
      });
  }
  meter
    .createObservableGauge('nodejs.eventloop.utilization', {
      description: 'The share of ten seconds in which the event loop was busy.',
      unit: '1',
    })
    .addCallback((result) => {
      result.observe(window.utilization);
    });
  meter
    .createObservableUpDownCounter('process.memory.usage', {
      description: 'The memory that the process has in RAM.',
      unit: 'By',
    })
    .addCallback((result) => {
      result.observe(process.memoryUsage.rss());
    });
  meter
    .createObservableUpDownCounter('v8js.memory.heap.used', {
      description: 'What V8 uses of each space of its heap.',
      unit: 'By',
    })
    .addCallback((result) => {
      for (const { space_name: space, space_used_size: used } of getHeapSpaceStatistics())
        result.observe(used, { 'v8js.heap.space.name': space });
    });
  meter
    .createObservableCounter('process.cpu.time', {
      description: 'The processor time that the process has had.',
      unit: 's',
    })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe(user / 1e6, { 'cpu.mode': 'user' });
      result.observe(system / 1e6, { 'cpu.mode': 'system' });
    });

  return () => {
    clearInterval(timer);
    delay.disable();
  };
}

/** NaN, of a window in which nothing was measured, is no delay. */
function secondsOf(nanoseconds: number): number {
  return Math.max(0, (nanoseconds - RESOLUTION_MS * 1e6) / 1e9) || 0;
}
