import { Command } from 'commander';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { carryOut, changing, filled } from './verb-options';

interface GiveUpFlags extends ChangeFlags {
  readonly transaction?: string;
  readonly signed?: boolean;
  readonly confirm?: boolean;
}

/** Commands for the service that sends transactions on the chains. */
export function chainVerbs(options: VerbOptions): Command {
  const raiseFee = changing(
    new Command('raise-fee')
      .description(
        'sign a waiting transaction again with the same nonce and both fees raised by at least an eighth, and send it',
      )
      .argument('<chain>', 'the chain: eth-mainnet, eth-base or tempo')
      .argument('<transaction-id>', 'the id in the name of its stream, chainTransaction-<transaction-id>'),
  ).action((chain: string, transaction: string, flags: ChangeFlags) =>
    carryOut(options, 'chain raise-fee', { chain, transaction }, flags),
  );
  const fillNonceGap = changing(
    new Command('fill-nonce-gap')
      .description(
        'fill the nonces that no transaction of an operator key uses, with transactions that move nothing, so that later ones can be mined',
      )
      .argument('<chain>', 'the chain: eth-mainnet, eth-base or tempo'),
  ).action((chain: string, flags: ChangeFlags) => carryOut(options, 'chain fill-nonce-gap', { chain }, flags));
  const restoreLost = changing(
    new Command('restore-lost')
      .description(
        'repeat a lost transaction in a new one under the same reference, so that its movement happens only once',
      )
      .argument('<chain>', 'the chain: eth-mainnet, eth-base or tempo')
      .argument(
        '<transaction-id>',
        'the id in the name of its stream, chainTransaction-<transaction-id>, whose last event is TransactionLost',
      ),
  ).action((chain: string, transaction: string, flags: ChangeFlags) =>
    carryOut(options, 'chain restore-lost', { chain, transaction }, flags),
  );
  const reconcile = changing(
    new Command('reconcile').description(
      'compare the ledger, the token supply and the wallets of every asset now; fails if they differ or a chain cannot be read',
    ),
  ).action((flags: ChangeFlags) => carryOut(options, 'chain reconcile', {}, flags));
  return new Command('chain')
    .description('repair transactions on the chains, and reconcile them with the ledger')
    .addCommand(raiseFee)
    .addCommand(fillNonceGap)
    .addCommand(restoreLost)
    .addCommand(giveUpVerb(options))
    .addCommand(reconcile);
}

function giveUpVerb(options: VerbOptions): Command {
  return changing(
    new Command('give-up')
      .description(
        'show the unfinished transactions of a key that will never be available again; with --confirm, give up those that ' +
          'are not signed, so that their funds are returned; with --signed too, also those whose bytes can have no effect',
      )
      .argument('<chain>', 'the chain: eth-mainnet, eth-base or tempo')
      .argument('<address>', 'the address of the key, as the log of movements shows it')
      .option('--transaction <id>', 'only this transaction', filled)
      .option('--signed', 'also signed ones, if their contract does not accept the key in a final block')
      .option('--confirm', 'give up the transactions; this cannot be undone'),
  ).action(async (chain: string, address: string, flags: GiveUpFlags) => {
    const { transaction, signed, confirm } = flags;
    const subject = {
      chain,
      address,
      ...(transaction && { transaction }),
      ...(signed && { signed: 'yes' }),
      ...(confirm && { confirm: 'yes' }),
    };
    await carryOut(options, 'chain give-up', subject, flags);
  });
}
