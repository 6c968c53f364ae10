import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { SimulateTokenDeposit } from '@ponte/contracts';
import type { PayloadOf, ReplyOf } from '@ponte/event-sourcing';
import { assetOf, refuse, toOnChain } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import type { Hex } from '../chain/chain.port';
import { movableAmount } from '../token-movement/chain-values.domain';
import { WalletReadModel } from '../wallet/wallets.read-model';
import type { OutsideFate, OutsideSender } from './outside-sender.port';
import { OUTSIDE_SENDER } from './outside-sender.port';
import { ScanDepositsJob } from '../token-deposits/scan-deposits.job';

/** Sandbox only: sends tokens from outside to a wallet of the account, once per command id. */
export class SimulateTokenDepositCommand extends PayloadCommand<
  PayloadOf<typeof SimulateTokenDeposit>,
  ReplyOf<typeof SimulateTokenDeposit>
> {}

/** Outcomes by the first two decimals of the amount (docs/ledger/sandbox.md). */
export const OUTSIDE_FATES: Readonly<Record<string, Exclude<OutsideFate, 'transfer'>>> = {
  '91': 'nothing-sent',
  '92': 'look-alike',
  '93': 'reverted',
  '94': 'dropped',
  '95': 'listed-sender',
};

const fateOf = (amount: string): OutsideFate => OUTSIDE_FATES[amount.split('.')[1]?.slice(0, 2) ?? ''] ?? 'transfer';

@CommandHandler(SimulateTokenDepositCommand)
export class SimulateTokenDepositHandler implements ICommandHandler<SimulateTokenDepositCommand> {
  constructor(
    private readonly wallets: WalletReadModel,
    @Inject(OUTSIDE_SENDER) private readonly outside: OutsideSender | null,
    private readonly scans: ScanDepositsJob,
  ) {}

  async execute({ payload, context }: SimulateTokenDepositCommand): Promise<ReplyOf<typeof SimulateTokenDeposit>> {
    const { accountId, asset, amount: text, targetAddress } = payload;
    const { chain } = assetOf(asset);
    if (chain === undefined || this.outside === null) return refuse('asset-not-supported', 'must be a token', 'asset');
    const amount = movableAmount(asset, text);
    const wallet = (await this.wallets.ofAccount(accountId)).find(
      (one) => one.chain === chain && (targetAddress === null || one.address === targetAddress.toLowerCase()),
    );
    if (!wallet)
      return refuse('wallet-not-found', 'the account has no such wallet on the chain of the asset', 'target-address');
    const { txHash, from } = await this.outside.send({
      id: context.commandId,
      asset,
      to: wallet.address as Hex,
      units: toOnChain(amount),
      fate: fateOf(amount.toString()),
    });
    this.scans.nudge(chain);
    return { asset, amount: amount.toString(), txHash, sourceAddress: from, targetAddress: wallet.address };
  }
}
