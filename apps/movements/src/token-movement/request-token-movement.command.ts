import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RequestTokenMovement, TokenMovementPurpose, WalletRecord } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { Refusal, refuse } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { refuseUnknownWallet } from '../wallet/wallet.decider';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import type { ServedChain, ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { Sender } from '../sending/sender.service';
import { AccountWallets } from '../wallet/account-wallets.service';
import { WalletFunds } from '../wallet-funds/wallet-funds.service';
import { TokenDestinations } from './token-destinations.service';
import { addressAt, chainOfToken, movableAmount } from './chain-values.domain';

type Payload = PayloadOf<typeof RequestTokenMovement>;

export class RequestTokenMovementCommand extends PayloadCommand<Payload, ReplyOf<typeof RequestTokenMovement>> {}

/**
 * Resolves as soon as the intent is durable, and passes it to the sender; from then on it depends on the chain alone.
 * If the process stops in between, the rounds over all unfinished transactions send it.
 */
@CommandHandler(RequestTokenMovementCommand)
export class RequestTokenMovementHandler implements ICommandHandler<RequestTokenMovementCommand> {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly sender: Sender,
    private readonly wallets: AccountWallets,
    private readonly funds: WalletFunds,
    private readonly destinations: TokenDestinations,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
  ) {}

  async execute(command: RequestTokenMovementCommand): Promise<ReplyOf<typeof RequestTokenMovement>> {
    const { payload, context } = command;
    const transactionId = transactionIdOf({ kind: 'token-movement', id: payload.movementId });
    const recorded = await this.transactions.load(transactionId);
    const chain = chainOfToken(payload.asset);
    // A recorded intent does not change, even if the account has other wallets by now.
    const purpose =
      recorded.status !== 'absent' && recorded.intent.purpose.kind === 'token-movement'
        ? sameAgain(recorded.intent.purpose, payload)
        : await this.purposeOf(payload, context);
    try {
      await this.sender.request(purpose, chain, context);
    } catch (error) {
      const isRecordedSince = error instanceof Refusal && error.code === 'movement-already-requested';
      if (recorded.status !== 'absent' || !isRecordedSince) throw error;
      // Another request has recorded it with what it knew about the wallets. Only its terms have to be the same.
      return this.execute(command);
    }
    return { movementId: payload.movementId, destination: purpose.to };
  }

  private async purposeOf(payload: Payload, context: RequestContext): Promise<TokenMovementPurpose> {
    const { movementId: id, owner, accountId, asset, amount, destination, sourceWalletId } = payload;
    const served = this.chains.of(chainOfToken(asset));
    if (served.tokens[asset] === undefined) refuse('asset-not-supported', `${asset} has no contract here`, 'asset');
    const to = addressAt('destination', destination);
    const wallets = await this.sources(payload, served, context);
    const [first] = wallets;
    if (first === undefined) return refuseUnknownWallet('source-wallet-id');
    const sources = sourceWalletId === null ? null : wallets.map(({ address }) => address);
    const requested = { accountId, chain: served.evm.chain, address: to, sources };
    // Whether the signer allows so much is not checked here: another process may have another limit and send it, while
    // this one reports a failure. The sender gives it up in the transaction's own stream.
    const money = movableAmount(asset, amount);
    const receiver = await this.destinations.receiverAt(requested, context);
    return {
      kind: 'token-movement',
      id,
      owner,
      accountId,
      asset,
      amount: money.toString(),
      walletIds: wallets.map((one) => one.id),
      from: first.address,
      to,
      receiver,
    };
  }

  /** The wallets that pay, in the order in which their tokens are taken. */
  private async sources(
    { movementId, accountId, asset, amount, sourceWalletId }: Payload,
    { evm }: ServedChain,
    context: RequestContext,
  ): Promise<readonly WalletRecord[]> {
    if (sourceWalletId === null)
      return (await this.funds.orderPayers(accountId, { asset, amount, movementId }, context)).wallets;
    const source = await this.wallets.get(accountId, sourceWalletId);
    return source?.chain === evm.chain ? [source] : [];
  }
}

/** The recorded purpose with the terms of the new request, so that different terms are refused. */
const sameAgain = (
  before: TokenMovementPurpose,
  { owner, accountId, asset, amount, destination }: Payload,
): TokenMovementPurpose => ({ ...before, owner, accountId, asset, amount, to: addressAt('destination', destination) });
