import { randomUUID } from 'node:crypto';
import { pick, REWARD_TIERS } from '@ponte/kernel';
import type { Command } from 'commander';
import { Option } from 'commander';
import { show } from '../output';
import type { WireCertificate } from '../staff-api/bodies';
import type { AccountFlag, VerbTools } from '../verb';
import { accountPath, accountVerb, noun } from '../verb';

interface IssueFlags extends AccountFlag {
  readonly wallet: string;
  readonly amount: string;
  readonly rewardTier?: string;
  readonly reference?: string;
}

export function certificateVerbs(program: Command, { api, print }: VerbTools): void {
  const example = 'issue --account <account-id> --wallet <address> --amount 10.50 --reference REW-1';
  const certificate = noun(program, 'certificate', 'issue reward certificates', example);
  accountVerb(certificate, 'issue', 'issue a reward certificate to a wallet of an account')
    .requiredOption('--wallet <address>', 'a wallet of the account on eth-base')
    .requiredOption('--amount <brlv>', 'the amount in BRLV, for example 10.50')
    .addOption(
      new Option('--reward-tier <percent>', 'the reward tier, in percent (default: that of the account)').choices(
        REWARD_TIERS.map(String),
      ),
    )
    .option('--reference <text>', 'each reference issues one certificate, however often the command is repeated')
    .action(async ({ account, wallet, amount, rewardTier, reference = randomUUID(), json }: IssueFlags) => {
      const { 'reward-certificate': issued } = await api.post<{ 'reward-certificate': WireCertificate }>(
        accountPath(account, 'reward-certificates'),
        {
          reference,
          'wallet-address': wallet,
          amount,
          'reward-tier': rewardTier === undefined ? null : Number(rewardTier),
        },
      );
      show(print, shown(issued), json);
    });
}

const shown = (certificate: WireCertificate): object =>
  pick(certificate, 'id', 'account-id', 'wallet-address', 'amount', 'reward-tier', 'status');
