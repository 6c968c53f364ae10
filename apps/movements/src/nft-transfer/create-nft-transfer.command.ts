import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { CreateNftTransferPayload, NftTransferRecord, Timestamp, WalletRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { logged, stepContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Refusal, furtherViolationsFrom, isUuid, violationsFrom } from '@ponte/kernel';
import { CLOCK, LOGGER, MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { CertificateMovements } from '../certificates/certificate-movements.service';
import { CERTIFICATE_CHAIN } from '../certificates/certificate-purpose';
import { holderOf } from '../certificates/certificate.decider';
import { refuseNotOwned } from '../certificates/certificate.errors';
import { Certificates } from '../certificates/certificate.repository';
import { DailyTransfers } from '../daily-transfers/daily-transfers.service';
import { ExternalIds } from '../external-id/external-ids.service';
import { answerable } from '../transfer/transfer-lifecycle.domain';
import { AccountWallets } from '../wallet/account-wallets.service';
import { TokenDestinations } from '../token-movement/token-destinations.service';
import type { NftTransfer } from './nft-transfer.decider';
import { nftTransferRecord } from './nft-transfer.decider';
import { NftTransfers } from './nft-transfer.repository';
import { factViolations, nftTermsOf, requestViolations } from './nft-transfer-rules.domain';
import { OpenedNftTransfers } from './open-nft-transfer.command';
import { ReleasedCertificates } from './release-certificate.command';

/** Reserves the certificate, then creates the transfer that it is reserved for. */
export class CreateNftTransferCommand extends PayloadCommand<CreateNftTransferPayload, NftTransferRecord> {}

/** The API key id recorded for requests that were not made with an API key. */
const NO_KEY = 'unknown';

@CommandHandler(CreateNftTransferCommand)
export class CreateNftTransferHandler implements ICommandHandler<CreateNftTransferCommand> {
  constructor(
    private readonly transfers: NftTransfers,
    private readonly certificates: Certificates,
    private readonly opened: OpenedNftTransfers,
    private readonly released: ReleasedCertificates,
    private readonly externalIds: ExternalIds,
    private readonly daily: DailyTransfers,
    private readonly wallets: AccountWallets,
    private readonly movements: CertificateMovements,
    private readonly destinations: TokenDestinations,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A repeated request is answered from the stream, without any other read. */
  async execute({ payload, context }: CreateNftTransferCommand): Promise<NftTransferRecord> {
    const existing = await this.transfers.load(payload.transferId);
    if (existing.status !== 'absent') return this.answer(existing, payload);
    const claimId = this.externalIds.newClaimId();
    try {
      await this.reserve(payload, claimId, context);
      return this.answer(await this.opened.create(payload, context), payload);
    } catch (error) {
      if (error instanceof Refusal) await this.release(payload, claimId, context);
      throw error;
    }
  }

  private answer(state: NftTransfer, payload: CreateNftTransferPayload): NftTransferRecord {
    const record = state.status === 'absent' ? null : nftTransferRecord(answerable(state, payload, this.clock.now()));
    if (!record) throw new Error('an accepted NFT transfer must exist');
    return record;
  }

  private async reserve(payload: CreateNftTransferPayload, claimId: string, context: RequestContext): Promise<void> {
    const { transferId, certificateId } = payload;
    if (isUuid(certificateId)) await this.released.ofFailure(certificateId, context);
    const once = stepContext(context, 'open-nft-transfer', transferId, certificateId, context.commandId);
    await this.certificates.execute(certificateId, (at) => this.accept(payload, claimId, at, context), once);
  }

  /** Gathers the facts of one attempt. `at` is the only clock reading that it uses. */
  private async accept(payload: CreateNftTransferPayload, claimId: string, at: Timestamp, context: RequestContext) {
    const { accountId } = payload;
    const externalId = { ...payload, kind: 'nft-transfer' } as const;
    const target = payload.targetAddress.toLowerCase();
    const loss = await this.destinations.lossAt(CERTIFICATE_CHAIN, target, context);
    const violations = requestViolations(payload, loss);
    const address = payload.sourceAddress.toLowerCase();
    const [account, source, externalIdUsed, ofDay] = await Promise.all([
      this.bus.request(GetAccount, { accountId }, context),
      violations.some(({ path }) => path === 'source-address')
        ? undefined
        : this.wallets.byAddress(accountId, CERTIFICATE_CHAIN, address),
      this.externalIds.isUsed(externalId, at),
      this.daily.violations(payload, at),
    ]);
    const facts = { account, source, externalIdUsed };
    // Asks the chain, which may not answer. If the request is refused anyway, no matter.
    const known = [...violations, ...factViolations({ ...facts, ofCertificate: [] }), ...ofDay];
    const ofCertificate = await (known.length > 0 ? furtherViolationsFrom : violationsFrom)(
      () => source && this.checkCertificate(payload, source),
    );
    violations.push(...factViolations({ ...facts, ofCertificate }), ...ofDay);
    if (violations.length > 0 || !source) throw new Refusal(violations);
    const receiver = await this.wallets.receiverAt(CERTIFICATE_CHAIN, target);
    await this.externalIds.take(externalId, claimId, context);
    await this.daily.count(payload, { attemptId: claimId, at }, context);
    const circumstances = {
      source,
      receiver,
      parentId: account?.parentId ?? null,
      apiKey: context.actor ?? NO_KEY,
      at,
    };
    return { kind: 'open-transfer', transfer: nftTermsOf(payload, circumstances) } as const;
  }

  /** Refuses unless the wallet has the certificate, in its stream and on the chain, and it is in no open transfer. */
  private async checkCertificate(
    { accountId, certificateId, transferId }: CreateNftTransferPayload,
    { address }: WalletRecord,
  ): Promise<void> {
    if (!isUuid(certificateId)) return refuseNotOwned();
    const certificate = await this.certificates.load(certificateId);
    // Reserved by this same transfer, before a crash or by a parallel request with the same key.
    if (certificate.status === 'transferring' && certificate.transfer?.transferId === transferId) return;
    const isFree =
      certificate.status === 'active' &&
      holderOf(certificate).accountId === accountId &&
      holderOf(certificate).address === address;
    if (!isFree || !(await this.movements.isHeldBy(certificateId, address))) refuseNotOwned();
  }

  /**
   * Best effort: a claim on the external id without a transfer can be taken over later, and the count ends with the
   * day. Both are kept if another request has created the transfer.
   */
  private async release(payload: CreateNftTransferPayload, claimId: string, context: RequestContext): Promise<void> {
    try {
      if ((await this.transfers.load(payload.transferId)).status !== 'absent') return;
      await this.daily.uncount(payload, claimId, context);
      await this.externalIds.release({ ...payload, kind: 'nft-transfer' }, claimId, context);
    } catch (error) {
      this.logger.warn(
        { ...logged(context), err: error, transferId: payload.transferId },
        'the reservations of a refused NFT transfer could not be released',
      );
    }
  }
}
