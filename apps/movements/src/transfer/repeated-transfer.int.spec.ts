import type { CreateTransferPayload } from '@ponte/contracts';
import { CreateTransfer, GetTransfer } from '@ponte/contracts';
import { MemoryEventStore, MemoryLog, eventually, temporaryFolder } from '@ponte/testing';
import { CertificateWorld, OTHER, OWNER, uuid } from '../adapters/testing/certificate-world';
import { codeOf, simulatedChains } from '../adapters/testing/simulated-chains';

let folder: ReturnType<typeof temporaryFolder>;
let movements: CertificateWorld;
let chains: ReturnType<typeof simulatedChains>;

beforeEach(async () => {
  folder = temporaryFolder();
  const log = new MemoryLog();
  chains = simulatedChains();
  movements = await CertificateWorld.start({
    folder: folder.path,
    open: chains.open,
    store: new MemoryEventStore({ log }),
    events: () => log.slice(0, log.length),
  });
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

async function request(more: Partial<CreateTransferPayload> = {}): Promise<CreateTransferPayload> {
  return {
    transferId: uuid(),
    callerAccountId: OWNER,
    accountId: OWNER,
    asset: 'eth-base/brlv',
    amount: '1',
    sourceAddress: await movements.wallet(OWNER),
    targetAddress: await movements.wallet(OTHER),
    externalId: 'invoice-1',
    bodyHash: 'body',
    ...more,
  };
}
const send = (payload: CreateTransferPayload) => movements.bus.request(CreateTransfer, payload, movements.context());

describe('a token transfer', () => {
  it('keeps its external id and its hold when its key is used again with another body', async () => {
    const first = await request();
    const transfer = await eventually(() => send(first));
    expect(await codeOf(send({ ...first, amount: '2', bodyHash: 'other' }))).toBe('idempotency-key-reused');
    expect(movements.ofType('MovementExternalIdReleased')).toEqual([]);
    expect(movements.ofType('TransferAbandoned')).toEqual([]);
    expect(await codeOf(send({ ...first, transferId: uuid() }))).toBe('external-id-already-used');
    await expect(send(first)).resolves.toEqual(transfer);
  });

  it('shows the hash of the bytes that go out, also after its fees were raised', async () => {
    const payload = await request();
    chains.base.endow('eth-base/brlv', payload.sourceAddress as `0x${string}`, 10n ** 18n);
    chains.base.script(...Array.from({ length: 50 }, () => ({ kind: 'delay', blocks: 1_000 }) as const));
    await eventually(() => send(payload));
    await eventually(() => expect(movements.ofType('TransactionFeeRaised').length).toBeGreaterThan(0));
    const shown = () =>
      movements.bus.request(GetTransfer, { accountId: OWNER, transferId: payload.transferId }, movements.context());
    await eventually(async () => {
      const raised = movements.ofType('TransactionFeeRaised').at(-1)?.data as { txHash: string };
      expect(await shown()).toMatchObject({ state: 'pending', txHash: raised.txHash });
    });
    const [signed] = movements.ofType('TransactionSigned');
    expect((await shown())?.txHash).not.toBe((signed?.data as { txHash: string }).txHash);
  });
});
