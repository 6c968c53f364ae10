import { Command } from 'commander';
import type { VerbOptions } from './verb-options';
import { changing, report } from './verb-options';
import { perform } from './tools';

/** What operators ask of the service that works on the chains. */
export function chainVerbs(options: VerbOptions): Command {
  const { tools, print } = options;
  const raiseFee = changing(
    new Command('raise-fee')
      .description(
        'sign a transaction that waits again under its nonce, with both fees raised by an eighth or more, and send it',
      )
      .argument('<chain>', 'eth-mainnet, eth-base or tempo')
      .argument('<transaction-id>', 'of the stream chainTransaction-<transaction-id>'),
    options,
  ).action(async (chain: string, transaction: string, flags: { actor: string; reason: string; json?: boolean }) => {
    report(print, await perform(await tools(), 'chain raise-fee', { chain, transaction }, flags), flags.json);
  });
  const restoreLost = changing(
    new Command('restore-lost')
      .description(
        'send what a lost transaction had done in another transaction, under the same reference: it happens once',
      )
      .argument('<chain>', 'eth-mainnet, eth-base or tempo')
      .argument('<transaction-id>', 'of the stream chainTransaction-<transaction-id>, which ends with TransactionLost'),
    options,
  ).action(async (chain: string, transaction: string, flags: { actor: string; reason: string; json?: boolean }) => {
    report(print, await perform(await tools(), 'chain restore-lost', { chain, transaction }, flags), flags.json);
  });
  const reconcile = changing(
    new Command('reconcile').description(
      'compare ledger, token supply and wallets of every asset now; fails when they differ',
    ),
    options,
  ).action(async (flags: { actor: string; reason: string; json?: boolean }) => {
    report(print, await perform(await tools(), 'chain reconcile', {}, flags), flags.json);
  });
  return new Command('chain')
    .description('transactions on the chains, and whether the ledger agrees with them')
    .addCommand(raiseFee)
    .addCommand(restoreLost)
    .addCommand(reconcile);
}
