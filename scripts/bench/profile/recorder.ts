/**
 * Loaded before a program that is to be profiled: on SIGUSR2 it begins, and on the next SIGUSR2 it
 * ends and writes the file CPU_PROFILE, so that neither the start nor the warm-up is in it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const SAMPLING_MICROS = 200;

const session = new Session();
session.connect();

async function begin(): Promise<void> {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS });
  await session.post('Profiler.start');
  process.once('SIGUSR2', () => void end());
}

async function end(): Promise<void> {
  const { CPU_PROFILE = '' } = process.env;
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(`${CPU_PROFILE}.part`, JSON.stringify(profile));
  // Whoever waits for the file finds it whole.
  renameSync(`${CPU_PROFILE}.part`, CPU_PROFILE);
}

process.once('SIGUSR2', () => void begin());
