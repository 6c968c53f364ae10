import type { CreateTransferPayload, TransferRecord } from '@ponte/contracts';
import { CreateTransfer, GetTransfer } from '@ponte/contracts';
import { MemoryEventStore, MemoryLog, eventually, temporaryFolder } from '@ponte/testing';
import { CertificatesUnderTest, OTHER, OWNER, uuid } from './certificates-under-test';
import { simulatedChains } from './simulated-chains';

/** An address outside our custody. */
export const OUTSIDE = `0x${'cd'.repeat(20)}`;
export const ASSET = 'eth-base/brlv';

/** The movements service, new for each test, with requests for token transfers. */
export class TransfersUnderTest {
  folder = temporaryFolder();
  chains = simulatedChains();
  /** The store of the running process. */
  store = new MemoryEventStore({ log: new MemoryLog() });
  /** The wallets of the two accounts on eth-base. */
  source = '';
  target = '';
  private started: CertificatesUnderTest | undefined;

  /** Starts the service before each test of the file, and stops it afterwards. */
  static forEachTest(): TransfersUnderTest {
    const service = new TransfersUnderTest();
    beforeEach(() => service.start());
    afterEach(() => service.stop());
    return service;
  }

  get movements(): CertificatesUnderTest {
    if (!this.started) throw new Error('the service was not started');
    return this.started;
  }

  fund(tokens: number): void {
    this.chains.base.fund(ASSET, this.source as `0x${string}`, BigInt(tokens) * 10n ** 18n);
  }

  request(more: Partial<CreateTransferPayload> = {}): CreateTransferPayload {
    return {
      transferId: uuid(),
      callerAccountId: OWNER,
      accountId: OWNER,
      asset: ASSET,
      amount: '1',
      sourceAddress: this.source,
      targetAddress: this.target,
      externalId: null,
      bodyHash: 'body',
      ...more,
    };
  }

  send(payload: CreateTransferPayload, context = this.movements.context()): Promise<TransferRecord> {
    return this.movements.bus.request(CreateTransfer, payload, context);
  }

  find(transferId: string): Promise<TransferRecord | null> {
    return this.movements.bus.request(GetTransfer, { accountId: OWNER, transferId }, this.movements.context());
  }

  ended(transferId: string): Promise<TransferRecord> {
    return eventually(async () => {
      const transfer = await this.find(transferId);
      if (transfer?.state !== 'completed' && transfer?.state !== 'failed')
        throw new Error(`the transfer is ${transfer?.state}`);
      return transfer;
    });
  }

  private async start(): Promise<void> {
    this.folder = temporaryFolder();
    this.chains = simulatedChains();
    const log = new MemoryLog();
    this.store = new MemoryEventStore({ log });
    this.started = await CertificatesUnderTest.start({
      folder: this.folder.path,
      open: this.chains.open,
      store: this.store,
      events: () => log.slice(0, log.length),
    });
    this.source = await this.movements.wallet(OWNER);
    this.target = await this.movements.wallet(OTHER);
  }

  private async stop(): Promise<void> {
    await this.started?.stop();
    this.folder.remove();
  }
}
