import { pick } from '@ponte/kernel';
import { printRows } from '@ponte/operator';
import type { Command } from 'commander';
import { Option } from 'commander';
import { show } from '../output';
import type { WireAddressReview } from '../staff-api/bodies';
import type { StaffFlags, VerbTools } from '../verb';
import { bySignIn, clear, noun, verb } from '../verb';

interface DecideFlags extends StaffFlags {
  readonly review: string;
  readonly read: string;
  readonly verdict: string;
  readonly reason: string;
}

const REVIEWS = '/staff/v1/address-reviews';

/** Lists and decides reviews of addresses on sanctions lists. With OpenID Connect, staff use the console instead. */
export function addressReviewVerbs(program: Command, tools: VerbTools): void {
  const { api, print } = tools;
  const example = 'list --as approver-1 --password @password.txt';
  const review = noun(program, 'address-review', 'list and decide reviews of addresses on sanctions lists', example);
  bySignIn(verb(review, 'list', 'list what waits because a sanctions list names its address')).action(
    async ({ as, password, json }: StaffFlags) => {
      const { 'address-reviews': reviews } = await api.signedIn({ as, password: clear(tools, password) }, (session) =>
        session.get<{ 'address-reviews': WireAddressReview[] }>(REVIEWS),
      );
      printRows(print, reviews.map(shown), { json, none: 'no address is waiting for a decision' });
    },
  );
  bySignIn(
    verb(review, 'decide', 'decide a review: two approvers release it as a false positive, one true match refuses it'),
  )
    .requiredOption('--review <id>', 'the review; for a withdrawal, the id of the withdrawal')
    .requiredOption('--read <version>', 'the version of the review that you have read, as list shows it')
    .addOption(
      new Option('--verdict <verdict>', 'whether the list entry refers to this address')
        .choices(['false-positive', 'true-match'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'the grounds of the verdict; @file reads them from a file')
    .action(async ({ as, password, review: id, read, verdict, reason, json }: DecideFlags) => {
      const body = { version: read, verdict, reason: clear(tools, reason) };
      const { 'address-review': decided } = await api.signedIn({ as, password: clear(tools, password) }, (session) =>
        session.post<{ 'address-review': WireAddressReview }>(`${REVIEWS}/${encodeURIComponent(id)}/verdict`, body),
      );
      show(print, shown(decided), json);
    });
}

const shown = (review: WireAddressReview) => ({
  'review-id': review.id,
  ...pick(review, 'version', 'subject', 'subject-id', 'account-id', 'address', 'asset', 'amount', 'outcome', 'held-at'),
  verdicts: review.verdicts.length,
});
