import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { CertificateRecord, IssueCertificatePayload, Timestamp, WalletRecord } from '@ponte/contracts';
import { GetAccount, GetRewardTier } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId, RewardTier } from '@ponte/kernel';
import { isUuid, refuse } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { referenceOf, addressAt, movableAmount } from '../token-movement/chain-values.domain';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { AccountWallets } from '../wallet/account-wallets.service';
import { CERTIFICATE_CHAIN } from './certificate-purpose';
import { certificateRecords } from './certificate.record';
import { Certificates } from './certificate.repository';

/** The asset of a certificate's amount. */
const ASSET: AssetId = 'eth-base/brlv';

/** Issues a certificate to a wallet of an account. A policy mints its token. */
export class IssueCertificateCommand extends PayloadCommand<IssueCertificatePayload, CertificateRecord> {}

@CommandHandler(IssueCertificateCommand)
export class IssueCertificateHandler implements ICommandHandler<IssueCertificateCommand> {
  constructor(
    private readonly certificates: Certificates,
    private readonly wallets: AccountWallets,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload, context }: IssueCertificateCommand): Promise<CertificateRecord> {
    const issue = async (at: Timestamp) =>
      ({ kind: 'issue', terms: await this.termsOf(payload, at, context) }) as const;
    const state = await this.certificates.createIfAbsent(payload.certificateId, issue, context);
    const record = certificateRecords(state).at(-1);
    if (!record) throw new Error('an issued certificate must have a record');
    return record;
  }

  private async termsOf(payload: IssueCertificatePayload, issuedAt: Timestamp, context: RequestContext) {
    const { certificateId, accountId, issuedBy } = payload;
    if (!isUuid(certificateId)) refuse('invalid-format', 'must be a UUID', 'certificate-id');
    const amount = movableAmount(ASSET, payload.amount).toString();
    const address = addressAt('wallet-address', payload.walletAddress);
    // Refused here, because the mint has no caller to whom the refusal could be returned.
    this.chains.of(CERTIFICATE_CHAIN).evm.certificates.mintCall(referenceOf(certificateId), address as Hex);
    const account = await this.bus.request(GetAccount, { accountId }, context);
    if (account === null) return refuse('account-not-found', 'there is no such account', 'account-id');
    if (account.status !== 'active') return refuse('account-not-active', 'the account is not active');
    const wallet = await this.walletOf(accountId, address);
    const rewardTier = await this.tierOf(payload, context);
    return {
      certificateId,
      accountId,
      parentId: account.parentId,
      chain: CERTIFICATE_CHAIN,
      walletId: wallet.id,
      walletAddress: wallet.address,
      amount,
      rewardTier,
      issuedBy,
      issuedAt,
    };
  }

  private async walletOf(accountId: string, address: string): Promise<WalletRecord> {
    return (
      (await this.wallets.byAddress(accountId, CERTIFICATE_CHAIN, address)) ??
      refuse('wallet-not-allowed', 'must be a wallet of the account on eth-base', 'wallet-address')
    );
  }

  private async tierOf(
    { accountId, rewardTier, otherwiseTier }: IssueCertificatePayload,
    context: RequestContext,
  ): Promise<RewardTier> {
    if (rewardTier !== null) return rewardTier;
    const own = await this.bus.request(GetRewardTier, { accountId }, context);
    const message = 'is required, because the account has no reward tier of its own';
    return own.rewardTier ?? otherwiseTier ?? refuse('missing-field', message, 'reward-tier');
  }
}
