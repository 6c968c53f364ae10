import { Command } from 'commander';
import type { AdminOptions } from './cli';
import { show } from './output';

interface WhitelistFlags {
  readonly account: string;
  readonly address: string;
  readonly fx?: boolean;
  readonly json?: boolean;
}

export function walletVerbs({ operations, print }: AdminOptions): Command[] {
  return [
    new Command('wallet:whitelist')
      .description('let an account use an external wallet; the ledger, which screens it, has to run')
      .requiredOption('--account <account-id>', 'the account')
      .requiredOption('--address <address>', 'on every chain; in one case or with its EIP-55 checksum')
      .option('--fx', 'also as the target of FX orders; a wallet that has this keeps it')
      .option('--json', 'for machines')
      .action(async ({ account: accountId, address, fx = false, json }: WhitelistFlags) => {
        show(print, await operations.whitelistWallet({ accountId, address, fx }), json);
      }),
  ];
}
