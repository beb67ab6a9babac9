import type { Command } from 'commander';
import { addBench } from './atari-bench';
import { addInfo } from './atari-info';
import { addTrace } from './atari-trace';
import type { Session } from './session';

export function addAtariCommands(program: Command, session: Session): void {
  const atari = program.command('atari').description('the Atari 2600 core');
  addInfo(atari);
  addTrace(atari, session);
  addBench(atari);
}
