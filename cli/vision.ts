import type { Command } from 'commander';
import type { Session } from './session';
import { addAudit } from './vision-audit';
import { addCheck } from './vision-check';
import { addGate } from './vision-gate';
import { addVisionRun } from './vision-run';

export function addVisionCommands(program: Command, session: Session): void {
  const vision = program
    .command('vision')
    .description('the vision controls experiment: picture present, omitted, swapped');
  addCheck(vision, session);
  addVisionRun(vision, session);
  addGate(vision, session);
  addAudit(vision, session);
}
