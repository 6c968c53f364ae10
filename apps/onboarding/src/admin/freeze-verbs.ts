import { FREEZE_REASONS, RELEASE_REASONS } from '@ponte/contracts';
import { Command, Option } from 'commander';
import type { AdminOptions } from './cli';
import type { FreezeStepInput } from './operations';
import { show } from './output';

interface StaffFlags {
  readonly account: string;
  readonly as: string;
  readonly password: string;
  readonly json?: boolean;
}
interface AskingFlags extends StaffFlags {
  readonly reason: string;
  readonly evidence: string;
}

/**
 * Freezing and releasing, each by two members of staff who sign in. Where staff sign in by OpenID Connect they do this
 * at the console.
 */
export function freezeVerbs(options: AdminOptions): Command[] {
  return [
    asking(options, 'freeze', 'ask for a freeze; another member of staff confirms it', FREEZE_REASONS),
    asking(
      options,
      'release',
      'ask for the release of a frozen account; another member of staff confirms it',
      RELEASE_REASONS,
    ),
    plain(options, 'account:confirm-freeze', 'freeze an account that another member asked to freeze', 'confirm-freeze'),
    plain(
      options,
      'account:confirm-release',
      'release an account that another member asked to release',
      'confirm-release',
    ),
    plain(
      options,
      'account:close-freeze-request',
      'withdraw what you asked for, or refuse what another member asked for',
      'close',
    ),
  ];
}

function asking(
  options: AdminOptions,
  step: 'freeze' | 'release',
  description: string,
  reasons: readonly string[],
): Command {
  return byStaff(new Command(`account:${step}`).description(description))
    .addOption(new Option('--reason <reason>', 'why').choices([...reasons]).makeOptionMandatory())
    .requiredOption('--evidence <text>', 'such as a ticket; sealed before it is kept; @file reads it from a file')
    .action(async ({ reason, evidence, ...flags }: AskingFlags) =>
      run(options, flags, { step, reason, evidence: clear(options, evidence) }),
    );
}

function plain(
  options: AdminOptions,
  name: string,
  description: string,
  step: 'confirm-freeze' | 'confirm-release' | 'close',
): Command {
  return byStaff(new Command(name).description(description)).action(async (flags: StaffFlags) =>
    run(options, flags, { step }),
  );
}

const byStaff = (verb: Command): Command =>
  verb
    .requiredOption('--account <account-id>', 'the account')
    .requiredOption('--as <name>', 'the member of staff who does it')
    .requiredOption('--password <text>', 'of that member; @file reads it from a file, so that no shell history has it')
    .option('--json', 'for machines');

const clear = ({ readFile }: AdminOptions, text: string): string =>
  text.startsWith('@') ? readFile(text.slice(1)).trim() : text;

type Step = FreezeStepInput extends infer One
  ? One extends FreezeStepInput
    ? Omit<One, 'accountId' | 'as' | 'password'>
    : never
  : never;

async function run(options: AdminOptions, { account, as, password, json }: StaffFlags, step: Step): Promise<void> {
  const shown = await options.operations.freezeStep({
    accountId: account,
    as,
    password: clear(options, password),
    ...step,
  } as FreezeStepInput);
  show(options.print, shown, json);
}
