import type { ParkedEvent } from '@ponte/event-sourcing';
import { NamedRevisions } from '@ponte/event-sourcing';
import type { Command } from 'commander';
import { OperatorError } from './action-runner';
import { describeDiscards } from './describe-discards';
import { perform } from './tools';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { changing, report } from './verb-options';

interface Flags extends ChangeFlags {
  readonly group?: string;
  readonly gap?: string;
}

/** Revisions, as the refusal of a release names them. */
const GAP = /^\d+(-\d+)?(,\d+(-\d+)?)*$/;

/** Makes a command release the stream of the parked events that `isMeant` selects. */
export function addStreamRelease(
  options: VerbOptions,
  command: Command,
  isMeant: (parked: ParkedEvent, which: string) => boolean,
): Command {
  const { tools, print } = options;
  return changing(
    command
      .option('--group <group>', 'required if several groups have parked it')
      .option('--gap <revisions>', 'discard these missing events, exactly as a refused release named them'),
  ).action(async (which: string, flags: Flags) => {
    const { gap } = flags;
    if (gap !== undefined && !(GAP.test(gap) && new NamedRevisions(gap).isInOrder))
      throw new OperatorError(`--gap names revisions in their order, for example 5 or 3,5-7, but not "${gap}"`);
    const all = await tools();
    const found = (await all.parkedEvents.list(flags.group)).filter((one) => isMeant(one, which));
    const places = [...new Map(found.map(({ group, key }) => [`${group} ${key}`, { group, key }])).values()];
    const [place, ...others] = places;
    if (!place) {
      const discarded = await describeDiscards(all, which, flags.group);
      const detail = discarded
        ? `${which} is not parked; ${discarded}`
        : `${which} is not parked here: it was released before or never parked`;
      return report(print, { succeeded: true, detail }, flags.json);
    }
    if (others.length > 0)
      throw new OperatorError(
        `${which} is parked for ${places.map(({ group }) => group).join(', ')}; choose one with --group`,
      );
    const subject = { ...place, ...(gap === undefined ? {} : { gap }) };
    report(print, await perform(all, 'parked release', subject, flags), flags.json);
  });
}
