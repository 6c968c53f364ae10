import { randomUUID } from 'node:crypto';
import type { RewardTier } from '@ponte/kernel';
import { REWARD_TIERS } from '@ponte/kernel';
import { Command, Option } from 'commander';
import type { AdminOptions } from './cli';
import { show } from './output';

interface IssueFlags {
  readonly account: string;
  readonly wallet: string;
  readonly amount: string;
  readonly rewardTier?: string;
  readonly reference?: string;
  readonly json?: boolean;
}

export function certificateVerbs({ operations, print }: AdminOptions): Command[] {
  return [
    new Command('certificate:issue')
      .description('issue a reward certificate to a wallet of an account')
      .requiredOption('--account <account-id>', 'the account that gets it')
      .requiredOption('--wallet <address>', 'a wallet of the account on eth-base')
      .requiredOption('--amount <brlv>', 'in BRLV, as a decimal')
      .addOption(
        new Option('--reward-tier <percent>', "the account's own tier when absent").choices(REWARD_TIERS.map(String)),
      )
      .option(
        '--reference <text>',
        'of this issue: one reference is one certificate, however often the command is repeated',
      )
      .option('--json', 'for machines')
      .action(
        async ({
          account: accountId,
          wallet: walletAddress,
          amount,
          rewardTier,
          reference = randomUUID(),
          json,
        }: IssueFlags) => {
          const tier = rewardTier === undefined ? null : (Number(rewardTier) as RewardTier);
          const input = { accountId, walletAddress, amount, rewardTier: tier, reference };
          show(print, await operations.issueCertificate(input), json);
        },
      ),
  ];
}
