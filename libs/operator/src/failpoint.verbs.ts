import { Command } from 'commander';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { carryOut, changing } from './verb-options';

/** Commands for points at which a process of a sandbox kills itself, to test recovery. */
export function failpointVerbs(options: VerbOptions): Command {
  const arm = changing(
    new Command('arm')
      .description(
        'sandbox only: kill one process of the service at an append, as with kill -9; the restarted process continues normally',
      )
      .argument('<point>', 'for example before:OrderPlaced, or after:HoldPlaced:2 for the second one from now'),
  ).action((point: string, flags: ChangeFlags) => carryOut(options, 'failpoint arm', { point }, flags));
  return new Command('failpoint').description('have a process kill itself at a point (sandbox only)').addCommand(arm);
}
