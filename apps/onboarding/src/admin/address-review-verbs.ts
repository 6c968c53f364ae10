import type { AddressVerdict } from '@ponte/contracts';
import { Command, Option } from 'commander';
import type { AdminOptions } from './cli';
import { show } from './output';

interface StaffFlags {
  readonly as: string;
  readonly password: string;
  readonly json?: boolean;
}
interface DecideFlags extends StaffFlags {
  readonly review: string;
  readonly verdict: AddressVerdict;
  readonly reason: string;
}

/**
 * The queue of addresses that sanctions lists name. Who decides signs in; where staff sign in by OpenID Connect they do
 * this at the console.
 */
export function addressReviewVerbs({ operations, print, readFile }: AdminOptions): Command[] {
  const clear = (text: string): string => (text.startsWith('@') ? readFile(text.slice(1)).trim() : text);
  return [
    byStaff(
      new Command('address-review:list').description('what waits because a sanctions list names its address'),
    ).action(async ({ as, password, json }: StaffFlags) => {
      const reviews = await operations.listAddressReviews({ as, password: clear(password) });
      if (reviews.length === 0) print('no address waits for a decision');
      for (const review of reviews) show(print, review, json);
    }),
    byStaff(
      new Command('address-review:decide').description(
        'decide about one: two approvers let it go on, one true match refuses it',
      ),
    )
      .requiredOption('--review <id>', 'the review; of a withdrawal the withdrawal itself')
      .addOption(
        new Option('--verdict <verdict>', 'whether the list means this address')
          .choices(['false-positive', 'true-match'])
          .makeOptionMandatory(),
      )
      .requiredOption('--reason <text>', 'what the verdict rests on; @file reads it from a file')
      .action(async ({ as, password, review: reviewId, verdict, reason, json }: DecideFlags) => {
        const decision = { as, password: clear(password), reviewId, verdict, reason: clear(reason) };
        show(print, await operations.decideAddressReview(decision), json);
      }),
  ];
}

const byStaff = (verb: Command): Command =>
  verb
    .requiredOption('--as <name>', 'the member of staff who does it')
    .requiredOption('--password <text>', 'of that member; @file reads it from a file, so that no shell history has it')
    .option('--json', 'for machines');
