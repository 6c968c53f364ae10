import type { BankBehaviour, BankState, PlannedFault } from '@ponte/contracts';
import { BANK_CALLBACKS, BANK_FAULTS, BANK_OPERATIONS, BANK_RETURNS, BANK_SETTLEMENTS } from '@ponte/contracts';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { show } from '../output';
import type { JsonFlag, VerbTools } from '../verb';
import { noun, verb } from '../verb';

type BankFlags = JsonFlag & Partial<BankBehaviour> & { readonly fault?: PlannedFault; readonly clearFaults?: true };
interface BankEnvelope {
  readonly bank: BankState;
}

const BANK = '/staff/sandbox/bank';

/** Controls the simulated bank, which exists only in a sandbox. */
export function bankVerbs(program: Command, { api, print }: VerbTools): void {
  const report = ({ bank: { faults, ...state } }: BankEnvelope, json?: boolean): void =>
    show(print, { ...state, faults: faults.map(({ operation, fault }) => `${operation}=${fault}`) }, json);
  const bank = noun(program, 'bank', 'show and change the simulated bank', 'misbehave --fault put-charge=done');
  verb(bank, 'show', 'show the behaviour and the books of the simulated bank').action(async ({ json }: JsonFlag) =>
    report(await api.get<BankEnvelope>(BANK), json),
  );
  verb(
    bank,
    'take-back',
    'have the bank take a received Pix back, as after a report of fraud (MED); noticed at the next poll',
  )
    .requiredOption('--end-to-end-id <id>', 'the end-to-end id of the payment, as its deposit shows it')
    .action(async ({ endToEndId, json }: JsonFlag & { endToEndId: string }) =>
      report(await api.post<BankEnvelope>(BANK, { 'take-back': endToEndId }), json),
    );
  verb(bank, 'misbehave', 'change the behaviour of the simulated bank; what is left out stays unchanged')
    .addOption(new Option('--callbacks <how>', 'how the bank reports payments').choices(BANK_CALLBACKS))
    .addOption(new Option('--returns <how>', 'how the bank sends money back').choices(BANK_RETURNS))
    .addOption(
      new Option(
        '--settlement <how>',
        'when payments are settled; `late` settles one-time codes after they expire',
      ).choices(BANK_SETTLEMENTS),
    )
    .addOption(
      new Option(
        '--fault <call=fault>',
        `the next ${BANK_OPERATIONS.join(', ')} fails as ${BANK_FAULTS.join(', ')}: not received, answer lost, refused`,
      ).argParser(fault),
    )
    .option('--clear-faults', 'drop the planned faults; with --fault, plan only that one')
    .action(async ({ json, fault: planned, clearFaults, ...behaviour }: BankFlags) =>
      report(await api.post<BankEnvelope>(BANK, { ...behaviour, fault: planned, 'clear-faults': clearFaults }), json),
    );
}

function fault(text: string): PlannedFault {
  const [call, how] = text.split('=');
  const operation = BANK_OPERATIONS.find((one) => one === call);
  const kind = BANK_FAULTS.find((one) => one === how);
  if (!operation || !kind)
    throw new InvalidArgumentError(
      `must be one of ${BANK_OPERATIONS.join(', ')}, then = and one of ${BANK_FAULTS.join(', ')}`,
    );
  return { operation, fault: kind };
}
