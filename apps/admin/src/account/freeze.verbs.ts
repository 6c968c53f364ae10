import { CLOSING_REASONS, FREEZE_REASONS, RELEASE_REASONS, VIEW_PURPOSES } from '@ponte/contracts';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { show } from '../output';
import type { WireStanding } from '../staff-api/bodies';
import type { StaffSession } from '../staff-api/staff-api';
import type { AccountFlag, StaffFlags, VerbTools } from '../verb';
import { accountVerb, bySignIn, clear } from '../verb';

type StandingFlags = StaffFlags & AccountFlag;
type StepFlags = StandingFlags & { readonly reason?: string; readonly evidence?: string; readonly request?: number };

/**
 * Freezes, releases and closes accounts; each takes two staff members who sign in. With OpenID Connect, staff use the
 * console instead.
 */
export function freezeVerbs(account: Command, tools: VerbTools): void {
  const signedIn = async (
    { as, password, account: id, json }: StandingFlags,
    work: (session: StaffSession, path: string) => Promise<{ account: WireStanding }>,
  ): Promise<void> => {
    const path = `/staff/v1/accounts/${encodeURIComponent(id)}`;
    const { account: found } = await tools.api.signedIn({ as, password: clear(tools, password) }, (session) =>
      work(session, path),
    );
    show(tools.print, shown(found), json);
  };
  const step = (name: string, description: string, path: string): Command =>
    bySignIn(accountVerb(account, name, description)).action((flags: StepFlags) => {
      const { reason, evidence, request } = flags;
      const body = evidence === undefined ? { request } : { reason, evidence: clear(tools, evidence) };
      return signedIn(flags, (session, at) => session.post(`${at}/${path}`, body));
    });
  const ask = (name: 'freeze' | 'release' | 'close', description: string, reasons: readonly string[]): void => {
    step(name, description, name)
      .addOption(new Option('--reason <reason>', 'why').choices([...reasons]).makeOptionMandatory())
      .requiredOption(
        '--evidence <text>',
        'the evidence, for example a ticket; it is stored encrypted; @file reads it from a file',
      );
  };
  const decide = (name: string, description: string, path: string): void => {
    step(name, description, path).addOption(
      new Option('--request <number>', 'the request that you have read, as freeze-standing shows it')
        .argParser(requestNumber)
        .makeOptionMandatory(),
    );
  };
  ask('freeze', 'request a freeze, which another approver confirms', FREEZE_REASONS);
  ask('release', 'request the release of a frozen account, which another approver confirms', RELEASE_REASONS);
  ask('close', 'request the closing of a frozen and empty account, which another approver confirms', CLOSING_REASONS);
  bySignIn(accountVerb(account, 'freeze-standing', 'show the status of an account and the request that waits'))
    .addOption(
      new Option('--purpose <purpose>', 'why you read the evidence; it is recorded')
        .choices([...VIEW_PURPOSES])
        .default('review'),
    )
    .action((flags: StandingFlags & { readonly purpose: string }) =>
      signedIn(flags, (session, at) => session.get(`${at}/standing?purpose=${flags.purpose}`)),
    );
  decide('confirm-freeze', 'freeze an account, as another staff member requested', 'freeze/confirm');
  decide('confirm-release', 'release an account, as another staff member requested', 'release/confirm');
  decide('confirm-close', 'close an account, as another staff member requested', 'close/confirm');
  decide('close-freeze-request', 'withdraw your own request, or refuse that of another', 'freeze-request/close');
}

/** The account, and what the second staff member has to read before a decision. */
const shown = ({ id, status, 'pending-step': step, pending }: WireStanding): object => ({
  'account-id': id,
  status,
  'pending-step': step,
  request: pending?.request ?? null,
  reason: pending?.reason ?? null,
  evidence: pending?.evidence ?? null,
  'requested-by': pending && (pending['requested-by'].name ?? pending['requested-by'].id),
  'requested-at': pending?.['requested-at'] ?? null,
});

function requestNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number greater than zero.');
  return Number(text);
}
