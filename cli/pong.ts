import type { Command } from 'commander';
import { addPongAudit, addPongInspect, addPongReplay } from './pong-check';
import { addPongRun } from './pong-run';
import { addPongSweep } from './pong-sweep';
import type { Session } from './session';

export function addPongCommands(program: Command, session: Session): void {
  const pong = program.command('pong').description('the fixed-frame Pong controls');
  addPongRun(pong, session);
  addPongReplay(pong, session);
  addPongInspect(pong);
  addPongAudit(pong, session);
  addPongSweep(pong, session);
}
