import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { transformFile } from '@swc/core';
import { BENCH } from './paths.js';

/**
 * Translates the programs that are measured, so that none of them carries a translator in the memory
 * that is measured too. `builtProgram` says where they then are.
 */
export async function compilePrograms(): Promise<void> {
  for (const folder of ['contestants', 'scale']) {
    mkdirSync(`${BENCH}dist/${folder}`, { recursive: true });
    for (const file of readdirSync(`${BENCH}${folder}`).filter((name) => name.endsWith('.ts'))) {
      const { code } = await transformFile(`${BENCH}${folder}/${file}`, {
        swcrc: false,
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          // NestJS reads what a constructor takes from the types that are written there.
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      });
      writeFileSync(`${BENCH}dist/${folder}/${file.replace(/\.ts$/, '.js')}`, code);
    }
  }
}
