import { arch, cpus, platform } from 'node:os';
import type { Command } from 'commander';
import { version } from '../package.json';
import { lineOf } from '../src/lab/self-check/catalogue';
import { SHARED_CHECKS } from '../src/lab/self-check/measured';
import { type Fact, having, SELF_CHECK_FORMAT, type SelfCheckReport } from '../src/lab/self-check/report';
import { wasmFeatures } from '../src/lab/self-check/wasm-features';
import { EXIT } from './exit';
import { printJson, say, tell } from './output';
import type { Session } from './session';

/** Adds `self-check`: what this Node can do, in the shape of the page's self-check. */
export function addSelfCheckCommand(program: Command, session: Session): void {
  program
    .command('self-check')
    .description('what this machine can do, and how fast: WebAssembly, decoders, hashing, the Atari core')
    .option('--json', 'print the check as JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const facts = factsAtOnce();
      for (const { now, run } of SHARED_CHECKS) {
        session.signal.throwIfAborted();
        say(`checking ${now}`);
        facts.push(...(await run()));
      }
      const report: SelfCheckReport = {
        format: SELF_CHECK_FORMAT,
        program: `pixelproof ${version}`,
        place: `Node ${process.versions.node}, ${platform()} ${arch()}`,
        complete: true,
        facts,
      };
      if (json) printJson(report);
      else {
        tell(`${report.program}; ${report.place}`);
        tell(...facts.map(({ id, state, says }) => `${state.padEnd(8)}  ${lineOf(id).title}: ${says}`));
      }
      session.exit(facts.some(({ state }) => state === 'no') ? EXIT.difference : EXIT.complete);
    });
}

function factsAtOnce(): Fact[] {
  const { wasm, simd, threads } = wasmFeatures();
  const { length } = cpus();
  return [
    having('wasm', wasm),
    having('wasm_simd', simd),
    having('wasm_threads', threads),
    { id: 'cores', state: 'measured', value: length, says: String(length) },
  ];
}
