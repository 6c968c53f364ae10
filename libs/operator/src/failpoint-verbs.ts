import { Command } from 'commander';
import type { VerbOptions } from './verb-options';
import { changing, report } from './verb-options';
import { perform } from './tools';

/** Commands for points at which a process of a sandbox kills itself, to test recovery. */
export function failpointVerbs(options: VerbOptions): Command {
  const { tools, print } = options;
  const arm = changing(
    new Command('arm')
      .description(
        'sandbox only: kill one process of the service at an append, as with kill -9; the restarted process continues normally',
      )
      .argument('<point>', 'for example before:OrderPlaced, or after:HoldPlaced:2 for the second one from now'),
    options,
  ).action(async (point: string, flags: { actor: string; reason: string; json?: boolean }) => {
    report(print, await perform(await tools(), 'failpoint arm', { point }, flags), flags.json);
  });
  return new Command('failpoint').description('have a process kill itself at a point (sandbox only)').addCommand(arm);
}
