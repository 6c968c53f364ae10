import { Command } from 'commander';
import type { LoggedEvent } from '@ponte/sdk';
import { WEBHOOK_EVENT_TYPES } from '@ponte/sdk';
import { usage } from './failures';
import { countOf } from './lists.command';
import { printable } from './output';
import type { Host } from './session';
import { Session } from './session';

interface EventsOptions {
  readonly after?: string;
  readonly follow?: boolean;
  readonly limit?: string;
  readonly type?: string[];
}

export const eventsCommand = (host: Host): Command =>
  new Command('events')
    .description('print the event log of the account (with --json, one line per event)')
    .option('--after <position>', 'start after this position of the log, or at `latest` (default: at the oldest event)')
    .option('--follow', 'keep printing new events as they happen')
    .option('--limit <count>', 'the largest number of entries to print')
    .option('--type <types...>', 'print only events of these types')
    .action(async ({ after, follow = false, limit, type }: EventsOptions, command: Command) => {
      const { ponte, accountId, output, signal } = Session.of(host, command);
      checkTypes(type);
      const max = limit === undefined ? Infinity : countOf(limit);
      let count = 0;
      const start = after === undefined ? {} : { after: positionOf(after) };
      for await (const logged of ponte.events(accountId, { ...start, follow, signal })) {
        if (type && !type.includes(logged.event['event-type'])) continue;
        output.line({ position: logged.position, event: logged.event }, () => eventLine(logged));
        count += 1;
        if (count >= max) return;
      }
    });

export const eventLine = ({ position, event }: LoggedEvent): string =>
  printable(
    [
      String(position).padStart(8),
      event['occurred-at'],
      event['event-type'].padEnd(26),
      `${event['resource-type']} ${event['resource-id']}`,
    ].join('  '),
  );

/** Refuses a type that no event has, for which a command would print nothing or wait forever. */
export function checkTypes(types: readonly string[] = []): void {
  const known: readonly string[] = WEBHOOK_EVENT_TYPES;
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined) throw usage(`Unknown event type: ${unknown}.`, `Pass one of: ${known.join(', ')}.`);
}

/** Parses a position in the event log. */
export function positionOf(text: string): number | 'latest' {
  if (text === 'latest') return text;
  if (!/^\d{1,15}$/.test(text))
    throw usage(`${text} is not a position in the event log.`, 'Pass a whole number or `latest`.');
  return Number(text);
}
