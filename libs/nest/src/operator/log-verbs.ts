import type { LogReport } from '@ponte/engines';
import { Command } from 'commander';
import { OperatorFault } from './desk';
import type { VerbOptions } from './program';
import { failUnless } from './program';

/** The event log itself. */
export function logVerbs({ tools, print }: VerbOptions): Command[] {
  const check = new Command('check').description('read the whole log and list what is damaged; exits with 1 when something is')
    .option('--json', 'for machines')
    .action(async ({ json }: { json?: boolean }) => {
      const { checkLog } = await tools();
      if (!checkLog) throw new OperatorFault('EventStoreDB checks its own files; only an embedded log is checked from here');
      const report = await checkLog();
      print(json ? JSON.stringify(report) : textOf(report));
      failUnless(report.faults.length === 0);
    });
  return [new Command('log').description('the event log').addCommand(check)];
}

function textOf({ events, streams, faults }: LogReport): string {
  const size = `${events} events in ${streams} streams`;
  return faults.length === 0 ? `${size}: nothing is missing, and every checksum is right` : [`${size}; damaged:`, ...faults.map((fault) => `- ${fault}`)].join('\n');
}
