import { FREEZE_REASONS, RELEASE_REASONS } from '@ponte/contracts';
import type { Command } from 'commander';
import { Option } from 'commander';
import { show } from '../output';
import type { WireStanding } from '../staff-api/bodies';
import type { AccountFlag, StaffFlags, VerbTools } from '../verb';
import { accountVerb, bySignIn, clear } from '../verb';

type StepFlags = StaffFlags & AccountFlag & { readonly reason?: string; readonly evidence?: string };

/**
 * Freezes and releases accounts; each takes two staff members who sign in. With OpenID Connect, staff use the console
 * instead.
 */
export function freezeVerbs(account: Command, tools: VerbTools): void {
  const step = (name: string, description: string, path: string): Command =>
    bySignIn(accountVerb(account, name, description)).action(
      async ({ account: id, as, password, reason, evidence, json }: StepFlags) => {
        const body = evidence === undefined ? undefined : { reason, evidence: clear(tools, evidence) };
        const { account: changed } = await tools.api.signedIn({ as, password: clear(tools, password) }, (session) =>
          session.post<{ account: WireStanding }>(`/staff/v1/accounts/${encodeURIComponent(id)}/${path}`, body),
        );
        const { id: accountId, status, 'pending-step': pending } = changed;
        show(tools.print, { 'account-id': accountId, status, 'pending-step': pending }, json);
      },
    );
  const request = (name: 'freeze' | 'release', description: string, reasons: readonly string[]): void => {
    step(name, description, name)
      .addOption(new Option('--reason <reason>', 'why').choices([...reasons]).makeOptionMandatory())
      .requiredOption(
        '--evidence <text>',
        'the evidence, for example a ticket; it is stored encrypted; @file reads it from a file',
      );
  };
  request('freeze', 'request a freeze, which another staff member confirms', FREEZE_REASONS);
  request('release', 'request the release of a frozen account, which another staff member confirms', RELEASE_REASONS);
  step('confirm-freeze', 'freeze an account, as another staff member requested', 'freeze/confirm');
  step('confirm-release', 'release an account, as another staff member requested', 'release/confirm');
  step('close-freeze-request', 'withdraw your own request, or refuse that of another', 'freeze-request/close');
}
