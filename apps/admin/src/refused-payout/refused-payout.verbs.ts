import type { RefusedPayoutStatus } from '@ponte/contracts';
import { REFUSED_PAYOUT_STATUSES } from '@ponte/contracts';
import { pick } from '@ponte/kernel';
import { printRows } from '@ponte/operator';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { PageFlags } from '../paging';
import { paged, pageQuery } from '../paging';
import type { WireRefusedPayout } from '../staff-api/bodies';
import type { StaffFlags, VerbTools } from '../verb';
import { bySignIn, clear, noun, verb } from '../verb';

interface ListFlags extends StaffFlags, PageFlags {
  readonly status?: RefusedPayoutStatus;
}

/** Lists payouts that were rolled back. With OpenID Connect, staff use the console instead. */
export function refusedPayoutVerbs(program: Command, tools: VerbTools): void {
  const { api, print } = tools;
  const example = 'list --status made --as operator --password @password.txt';
  const payout = noun(program, 'refused-payout', 'list payouts whose withdrawals were rolled back', example);
  const list = verb(
    payout,
    'list',
    'list payouts that the bank refused, cancelled or did not have, the latest rollback first',
  ).addOption(
    new Option(
      '--status <status>',
      'waiting: the bank will be asked again; made: the bank made it anyway; closed: it was never made',
    ).choices(REFUSED_PAYOUT_STATUSES),
  );
  paged(bySignIn(list)).action(async ({ as, password, json, status, ...page }: ListFlags) => {
    const query = pageQuery(page, { status });
    const { body, next } = await api.signedIn({ as, password: clear(tools, password) }, (session) =>
      session.page<{ 'refused-payouts': WireRefusedPayout[] }>(`/staff/v1/refused-payouts?${query}`),
    );
    const payouts = body['refused-payouts'];
    if (json) return print(JSON.stringify({ 'refused-payouts': payouts, 'next-cursor': next }, null, 2));
    printRows(print, payouts.map(shown), { none: 'no payout was refused' });
    if (next !== null) print(`more: --cursor ${next}`);
  });
}

const shown = (payout: WireRefusedPayout) => ({
  ...pick(payout, 'withdrawal-id', 'account-id', 'status', 'amount', 'asset', 'reason'),
  ...pick(payout, 'rolled-back-at', 'end-to-end-id', 'posted-at'),
});
