import { BANK_CALLBACKS, BANK_FAULTS, BANK_OPERATIONS, BANK_RETURNS, BANK_SETTLEMENTS } from '@ponte/contracts';
import type { BankState, PlannedFault } from '@ponte/contracts';
import { parseInstant } from '@ponte/kernel';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AdminOptions } from './cli';
import type { BankBehaviourCommand } from './operations';
import { show } from './output';

interface ClockFlags {
  readonly seconds?: number;
  readonly until?: string;
  readonly json?: boolean;
}
type BankFlags = Partial<Pick<BankBehaviourCommand, 'callbacks' | 'returns' | 'settlement' | 'fault'>> & {
  readonly json?: boolean;
};

/** What only a sandbox has: its time and its bank. Elsewhere the routes behind them do not exist. */
export function sandboxVerbs({ operations, print }: AdminOptions): Command[] {
  const reported = ({ faults, ...bank }: BankState) => ({
    ...bank,
    faults: faults.map(({ operation, fault }) => `${operation}=${fault}`),
  });
  return [
    new Command('clock:advance')
      .description('sandbox alone: move business time on; leases, nonces and tokens keep to the real one')
      .addOption(new Option('--seconds <count>', 'by so many').argParser(seconds).conflicts('until'))
      .addOption(
        new Option('--until <time>', 'to this time, RFC 3339; one that has passed changes nothing').argParser(instant),
      )
      .option('--json', 'for machines')
      .action(async ({ seconds: by, until, json }: ClockFlags, command: Command) => {
        if (by === undefined && until === undefined) command.error('say --seconds or --until');
        const { now, aheadMs } = await operations.advanceClock({ seconds: by ?? null, until: until ?? null });
        show(print, { now, aheadSeconds: Math.ceil(aheadMs / 1000) }, json);
      }),
    new Command('bank:show')
      .description('sandbox alone: how the simulated bank behaves, and what it keeps by its own books')
      .option('--json', 'for machines')
      .action(async ({ json }: { json?: boolean }) => show(print, reported(await operations.bank()), json)),
    new Command('bank:take-back')
      .description(
        'sandbox alone: have the bank take a received Pix back, as after a report of fraud (MED); the next look at the bank notices',
      )
      .requiredOption('--end-to-end-id <id>', 'of the payment, as its deposit shows it')
      .option('--json', 'for machines')
      .action(async ({ endToEndId, json }: { endToEndId: string; json?: boolean }) => {
        show(
          print,
          reported(
            await operations.misbehave({
              callbacks: null,
              returns: null,
              settlement: null,
              fault: null,
              takeBack: endToEndId,
            }),
          ),
          json,
        );
      }),
    new Command('bank:misbehave')
      .description(
        'sandbox only: change the behaviour of the simulated bank until the next call; options that are left out stay unchanged',
      )
      .addOption(new Option('--callbacks <how>', 'the word of a payment').choices(BANK_CALLBACKS))
      .addOption(new Option('--returns <how>', 'money that is sent back').choices(BANK_RETURNS))
      .addOption(
        new Option('--settlement <how>', 'late: one-time codes are settled after their expiration').choices(
          BANK_SETTLEMENTS,
        ),
      )
      .addOption(
        new Option(
          '--fault <call=fault>',
          `the next ${BANK_OPERATIONS.join(', ')} fails as ${BANK_FAULTS.join(', ')}: not heard, answer lost, refused`,
        ).argParser(fault),
      )
      .option('--json', 'for machines')
      .action(
        async ({ json, callbacks = null, returns = null, settlement = null, fault: planned = null }: BankFlags) => {
          show(print, reported(await operations.misbehave({ callbacks, returns, settlement, fault: planned })), json);
        },
      ),
  ];
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,10}$/.test(text)) throw new InvalidArgumentError('a whole number of seconds above zero');
  return Number(text);
}

function instant(text: string): string {
  if (parseInstant(text) === undefined)
    throw new InvalidArgumentError('an RFC 3339 time, such as 2026-01-31T12:00:00Z');
  return text;
}

function fault(text: string): PlannedFault {
  const [call, how] = text.split('=');
  const planned = {
    operation: BANK_OPERATIONS.find((one) => one === call),
    fault: BANK_FAULTS.find((one) => one === how),
  };
  if (!planned.operation || !planned.fault)
    throw new InvalidArgumentError(`one of ${BANK_OPERATIONS.join(', ')}, then = and one of ${BANK_FAULTS.join(', ')}`);
  return { operation: planned.operation, fault: planned.fault };
}
