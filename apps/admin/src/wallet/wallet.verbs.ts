import type { Command } from 'commander';
import { show } from '../output';
import type { WireWallet } from '../staff-api/bodies';
import type { AccountFlag, VerbTools } from '../verb';
import { accountPath, accountVerb, noun } from '../verb';

interface WhitelistFlags extends AccountFlag {
  readonly address: string;
  readonly fx?: boolean;
}

export function walletVerbs(program: Command, { api, print }: VerbTools): void {
  const example = 'whitelist --account <account-id> --address 0x52908400098527886E0F7030069857D2E4169EE7';
  accountVerb(
    noun(program, 'wallet', 'let accounts use external wallets', example),
    'whitelist',
    'let an account use an external wallet; needs the running ledger, which screens the address',
  )
    .requiredOption(
      '--address <address>',
      'the address, on every chain; all lower case, all upper case, or with an EIP-55 checksum',
    )
    .option('--fx', 'allow it as the target of FX orders, too; whitelisting it again without this does not revoke it')
    .action(async ({ account, address, fx = false, json }: WhitelistFlags) => {
      const path = accountPath(account, 'whitelisted-wallets');
      const { wallet } = await api.post<{ wallet: WireWallet }>(path, { address, fx });
      show(print, { 'account-id': account, address: wallet.address, fx: wallet.fx }, json);
    });
}
