import { Inject, Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import type { PageCursor, PageRequest, Timestamp, TransactionPurpose, StartedWithdrawal } from '@ponte/contracts';
import { GetAnyWithdrawal, ListStartedSuspenseSendings, ListStartedWithdrawals } from '@ponte/contracts';
import type { MessageBus, PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { CertificateReadModel } from '../certificates/certificates.read-model';
import { MintCertificateCommand } from '../certificates/mint-certificate.command';
import { SendNftTransferCommand } from '../nft-transfer/send-nft-transfer.command';
import { SendSuspenseCommand } from '../suspense-sending/send-suspense.command';
import { SendTokenWithdrawalCommand } from '../token-withdrawal/send-token-withdrawal.command';
import { SendTransferCommand } from '../transfer/send-transfer.command';
import { UnfinishedTransfers } from './unfinished-transfers.service';

/** Rows per page; every page is read. */
const PAGE = 500;

/** A movement of an accepted resource, which should have a transaction. */
export interface AcceptedMovement {
  readonly id: string;
  readonly kind: TransactionPurpose['kind'];
  /** The service whose policies end the resource when the transaction has ended. */
  readonly endsIn: 'movements' | 'ledger';
  /** Returns the command that requests it. */
  readonly request: (context: RequestContext) => Command<void> | Promise<Command<void>>;
}

/** Reads the movements of resources that were accepted by this time, in pages. */
export type Source = (before: Timestamp, context: RequestContext) => AsyncGenerator<readonly AcceptedMovement[]>;

/** Movements that may lack their transaction or its end: their resources were accepted and have not ended. */
@Injectable()
export class AcceptedMovements {
  /** By kind of resource. */
  readonly sources: Readonly<Record<string, Source>> = {
    transfers: (before) => this.transfers(before),
    'nft-transfers': (before) => this.nftTransfers(before),
    certificates: (before) => this.mints(before),
    withdrawals: (before, context) => this.withdrawals(before, context),
    suspense: (before, context) => this.suspenseSendings(before, context),
  };

  constructor(
    private readonly unfinished: UnfinishedTransfers,
    private readonly certificates: CertificateReadModel,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  private async *transfers(before: Timestamp): AsyncGenerator<readonly AcceptedMovement[]> {
    for await (const ids of this.unfinished.pages('transfers', before, PAGE))
      yield ids.map((transferId) => ({
        id: transferId,
        kind: 'token-movement',
        endsIn: 'movements',
        request: (context) => new SendTransferCommand({ transferId }, context),
      }));
  }

  private async *nftTransfers(before: Timestamp): AsyncGenerator<readonly AcceptedMovement[]> {
    for await (const ids of this.unfinished.pages('nft_transfers', before, PAGE))
      yield ids.map((transferId) => ({
        id: transferId,
        kind: 'nft-movement',
        endsIn: 'movements',
        request: (context) => new SendNftTransferCommand({ transferId }, context),
      }));
  }

  private async *mints(before: Timestamp): AsyncGenerator<readonly AcceptedMovement[]> {
    for await (const ids of this.certificates.unminted(before, PAGE))
      yield ids.map((certificateId) => ({
        id: certificateId,
        kind: 'certificate-mint',
        endsIn: 'movements',
        request: (context) => new MintCertificateCommand({ certificateId }, context),
      }));
  }

  private async *withdrawals(before: Timestamp, context: RequestContext): AsyncGenerator<readonly AcceptedMovement[]> {
    for (let after: StartedWithdrawal | null = null; ;) {
      const payload: PayloadOf<typeof ListStartedWithdrawals> = { startedBefore: before, limit: PAGE, after };
      const { withdrawals } = await this.bus.request(ListStartedWithdrawals, payload, context);
      yield withdrawals.map(({ withdrawalId }) => ({
        id: withdrawalId,
        kind: 'token-movement',
        endsIn: 'ledger',
        request: (own) => this.sendWithdrawal(withdrawalId, own),
      }));
      after = withdrawals.at(-1) ?? null;
      if (withdrawals.length < PAGE) return;
    }
  }

  private async sendWithdrawal(withdrawalId: string, context: RequestContext): Promise<Command<void>> {
    const record = await this.bus.request(GetAnyWithdrawal, { withdrawalId }, context);
    if (record?.target.method !== 'token') throw new Error(`withdrawal ${withdrawalId} is not of tokens`);
    const { accountId, asset, amount, target } = record;
    const started = { withdrawalId, accountId, asset, amount, destination: target.destinationWalletAddress };
    return new SendTokenWithdrawalCommand(started, context);
  }

  private async *suspenseSendings(
    before: Timestamp,
    context: RequestContext,
  ): AsyncGenerator<readonly AcceptedMovement[]> {
    for (let cursor: PageCursor | null = null; ;) {
      const page: PageRequest = { limit: PAGE, cursor, createdFrom: null, createdTo: null };
      const payload = { startedBefore: before, page };
      const { items, next } = await this.bus.request(ListStartedSuspenseSendings, payload, context);
      yield items.map((started) => ({
        id: started.movementId,
        kind: 'token-movement',
        endsIn: 'ledger',
        request: (own) => new SendSuspenseCommand(started, own),
      }));
      if (next === null) return;
      cursor = next;
    }
  }
}
