import 'reflect-metadata';
import type { CertificateRecord, IssueCertificatePayload, NftTransferRecord } from '@ponte/contracts';
import {
  CreateNftTransfer,
  CreateWallet,
  GetAnyCertificate,
  GetAnyNftTransfer,
  IssueCertificate,
  ListCertificates,
  ProvisionWallets,
} from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually, freshId } from '@ponte/testing';
import { SimulatedServices, OWNER, PARENT } from './simulated-services';

/** A new UUID. */
export const uuid = (): string => derivedId('fresh', freshId());

/** Requests for tests of certificates. */
export class CertificateRequests extends SimulatedServices {
  constructor(readonly bus: MessageBus) {
    super();
  }

  context(id = freshId()): RequestContext {
    return { commandId: id, correlationId: id, actor: 'ak_test' };
  }

  async wallet(accountId: string): Promise<string> {
    const { wallets } = await this.bus.request(ProvisionWallets, { accountId, parentId: PARENT }, this.context());
    return wallets.find(({ chain }) => chain === 'eth-base')?.address ?? '';
  }

  async secondWallet(accountId: string, chain: Chain = 'eth-base'): Promise<string> {
    const wanted = {
      accountId,
      walletId: uuid(),
      name: 'Second',
      chain,
      metadata: {},
      uiEnabled: false,
    };
    return (await this.bus.request(CreateWallet, wanted, this.context())).address;
  }

  async issue(more: Partial<IssueCertificatePayload> = {}): Promise<CertificateRecord> {
    const walletAddress = more.walletAddress ?? (await this.wallet(OWNER));
    const payload = {
      certificateId: uuid(),
      accountId: OWNER,
      walletAddress,
      amount: '100',
      rewardTier: null,
      otherwiseTier: null,
      issuedBy: 'staff',
      ...more,
    };
    return this.bus.request(IssueCertificate, payload, this.context());
  }

  /** Issues a certificate and waits until its token is in the owner's wallet. */
  async minted(): Promise<CertificateRecord> {
    const { id } = await this.issue();
    return this.standing(id, 'active');
  }

  async standing(id: string, status: CertificateRecord['status']): Promise<CertificateRecord> {
    return eventually(async () => {
      const certificate = await this.bus.request(GetAnyCertificate, { certificateId: id }, this.context());
      if (certificate?.status !== status) throw new Error(`the certificate is ${certificate?.status}`);
      return certificate;
    });
  }

  transfer(
    certificate: CertificateRecord,
    targetAddress: string,
    more: {
      readonly key?: string;
      readonly externalId?: string;
      readonly sourceAddress?: string;
      readonly accountId?: string;
      readonly bodyHash?: string;
    } = {},
  ): Promise<NftTransferRecord> {
    const {
      key = freshId(),
      externalId = null,
      sourceAddress = certificate.walletAddress,
      accountId = OWNER,
      bodyHash = 'body',
    } = more;
    const payload = {
      transferId: derivedId('nft', key),
      callerAccountId: PARENT,
      accountId,
      sourceAddress,
      targetAddress,
      certificateId: certificate.id,
      externalId,
      bodyHash,
    };
    return this.bus.request(CreateNftTransfer, payload, this.context());
  }

  async ended(id: string): Promise<NftTransferRecord> {
    return eventually(async () => {
      const transfer = await this.bus.request(GetAnyNftTransfer, { transferId: id }, this.context());
      if (transfer?.state !== 'completed' && transfer?.state !== 'failed')
        throw new Error(`the transfer is ${transfer?.state}`);
      return transfer;
    });
  }

  /** Each certificate that the account can see, with its status and wallet. */
  async listed(accountId: string, status: CertificateRecord['status'] | null = null): Promise<string[]> {
    const page = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
    const { items } = await this.bus.request(
      ListCertificates,
      { accountId, filters: { status, walletAddress: null }, page },
      this.context(),
    );
    return items.map((one) => `${one.id} ${one.status} ${one.walletAddress}`);
  }
}
