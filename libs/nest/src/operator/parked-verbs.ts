import type { ParkedEvent } from '@ponte/event-sourcing';
import { Command } from 'commander';
import { OperatorFault } from './desk';
import { printRows } from './table';
import type { VerbOptions } from './program';
import { changing, report } from './program';
import { perform } from './tools';

/** What a consumer could not handle: look, and hand over again. */
export function parkedVerbs(options: VerbOptions): Command {
  const parked = new Command('parked').description('events that a consumer could not handle, and those of their stream that wait behind them');
  return parked.addCommand(list(options)).addCommand(show(options)).addCommand(release(options));
}

function list({ tools, print }: VerbOptions): Command {
  return new Command('list').description('what is parked, by group and stream')
    .option('--group <group>', 'of one group of consumers')
    .option('--topic <service>', 'of the events of one service')
    .option('--json', 'for machines')
    .action(async ({ group, topic, json }: { group?: string; topic?: string; json?: boolean }) => {
      const { parkedEvents, categoriesOf } = await tools();
      const categories = topic === undefined ? undefined : categoriesOf(topic);
      const rows = (await parkedEvents.list(group)).filter(({ key }) => categories === undefined || categories.includes(key.slice(0, key.indexOf('-'))));
      printRows(print, rows.map(line), { json, none: 'nothing is parked' });
    });
}

const line = ({ group, key, event, reason, parkedAt }: ParkedEvent) =>
  ({ group, key, revision: event.revision, type: event.type, event: event.id, 'parked-at': parkedAt, reason });

function show({ tools, print }: VerbOptions): Command {
  return new Command('show').description('one parked event with its data, personal fields sealed')
    .argument('<id>', 'of the event')
    .action(async (id: string) => {
      const { parkedEvents } = await tools();
      const found = (await parkedEvents.list()).filter(({ event }) => event.id === id);
      if (found.length === 0) throw new OperatorFault(`no parked event has the id ${id}; "parked list" shows those there are`);
      print(JSON.stringify(found, null, 2));
    });
}

function release(options: VerbOptions): Command {
  const { tools, print } = options;
  return changing(new Command('release').description('hand the parked events of a stream to their consumer again, in order')
    .argument('<id-or-key>', 'of an event, or the stream itself')
    .option('--group <group>', 'where several groups have parked it'), options)
    .action(async (which: string, flags: { group?: string; actor: string; reason: string; json?: boolean }) => {
      const all = await tools();
      const found = (await all.parkedEvents.list(flags.group)).filter(({ key, event }) => key === which || event.id === which);
      const places = [...new Map(found.map(({ group, key }) => [`${group} ${key}`, { group, key }])).values()];
      if (places.length === 0) return report(print, { succeeded: true, detail: `nothing of ${which} is parked: it was released before, or never parked` }, flags.json);
      if (places.length > 1) throw new OperatorFault(`${which} is parked for ${places.map(({ group }) => group).join(', ')}; say which with --group`);
      report(print, await perform(all, 'parked release', places[0] as { group: string; key: string }, flags), flags.json);
    });
}
