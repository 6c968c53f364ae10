import { parseInstant } from '@ponte/kernel';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { show } from '../output';
import type { WireClock } from '../staff-api/bodies';
import type { JsonFlag, VerbTools } from '../verb';
import { noun, verb } from '../verb';

interface ClockFlags extends JsonFlag {
  readonly seconds?: number;
  readonly until?: string;
}

/** Advances business time, which is possible only in a sandbox. */
export function clockVerbs(program: Command, { api, print }: VerbTools): void {
  const clock = noun(program, 'clock', 'advance business time', 'advance --seconds 3600');
  verb(clock, 'advance', 'advance business time; leases, nonces and tokens keep real time')
    .addOption(
      new Option('--seconds <count>', 'the number of seconds to advance by').argParser(seconds).conflicts('until'),
    )
    .addOption(
      new Option('--until <time>', 'to this time, RFC 3339; one that has passed changes nothing').argParser(instant),
    )
    .action(async ({ seconds: by, until, json }: ClockFlags, command: Command) => {
      if (by === undefined && until === undefined) command.error('error: pass --seconds or --until');
      const { clock: moved } = await api.post<{ clock: WireClock }>('/staff/sandbox/clock/advance', {
        seconds: by,
        until,
      });
      show(print, { now: moved.now, 'ahead-seconds': moved['ahead-seconds'] }, json);
    });
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,10}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number of seconds greater than zero.');
  return Number(text);
}

function instant(text: string): string {
  if (parseInstant(text) === undefined)
    throw new InvalidArgumentError('It must be an RFC 3339 time, such as 2026-01-31T12:00:00Z.');
  return text;
}
