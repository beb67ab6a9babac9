import type { Command } from 'commander';
import { addParse } from './png-parse';
import { addRender } from './png-render';
import { addRun } from './png-run';
import type { Session } from './session';

export function addPngCommands(program: Command, session: Session): void {
  const png = program.command('png').description('the PNG representation experiment');
  addRender(png);
  addParse(png);
  addRun(png, session);
}
