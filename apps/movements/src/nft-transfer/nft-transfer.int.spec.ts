import { MemoryEventStore, MemoryLog, eventually, temporaryFolder } from '@ponte/testing';
import { CertificateWorld, OTHER, OWNER } from '../adapters/testing/certificate-world';
import { codeOf, simulatedChains } from '../adapters/testing/simulated-chains';
import { referenceOf } from '../domain/mint/mint';

const OUTSIDE = `0x${'cd'.repeat(20)}` as const;
const AT_ONCE = 64;

let folder: ReturnType<typeof temporaryFolder>;
let log: MemoryLog;
let store: MemoryEventStore;
let chains: ReturnType<typeof simulatedChains>;
let world: CertificateWorld;

beforeEach(async () => {
  folder = temporaryFolder();
  log = new MemoryLog();
  chains = simulatedChains();
  world = await start();
});

afterEach(async () => {
  await world.stop();
  folder.remove();
});

async function start(): Promise<CertificateWorld> {
  store = new MemoryEventStore({ log });
  return CertificateWorld.start({
    folder: folder.path,
    open: chains.open,
    store,
    events: () => log.slice(0, log.length),
  });
}

describe('one certificate', () => {
  it(`is won by exactly one of ${AT_ONCE} parallel transfers`, async () => {
    const certificate = await world.minted();
    const target = await world.wallet(OTHER);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => codeOf(world.transfer(certificate, target))),
    );
    const won = answers.filter((one) => one === 'accepted').length;
    expect([won, new Set(answers)]).toEqual([1, new Set(['accepted', 'certificate-not-owned'])]);
    await eventually(() => expect(world.ofType('NftTransferCompleted')).toHaveLength(1));
  });

  it('is in one transfer for one key, whichever bodies come under it', async () => {
    const [one, two] = [await world.minted(), await world.minted()];
    const same = await Promise.all(Array.from({ length: 20 }, () => world.transfer(one, OUTSIDE, { key: 'same' })));
    expect(new Set(same.map((record) => JSON.stringify(record))).size).toBe(1);
    expect(await codeOf(world.transfer(two, OUTSIDE, { key: 'same', bodyHash: 'other' }))).toBe(
      'idempotency-key-reused',
    );
    await world.standing(two.id, 'active');
    const [third, fourth] = [await world.minted(), await world.minted()];
    const rivals = await Promise.all(
      [third, fourth].map((each, at) => codeOf(world.transfer(each, OUTSIDE, { key: 'rivals', bodyHash: String(at) }))),
    );
    expect(rivals.sort()).toEqual(['accepted', 'idempotency-key-reused']);
    await eventually(() => expect(world.ofType('NftTransferCompleted')).toHaveLength(2));
    await eventually(async () => expect((await world.listed(OWNER, 'active')).length).toBe(2));
  });

  it('has an external id of its own kind, used once', async () => {
    const [one, two] = [await world.minted(), await world.minted()];
    await world.ended((await world.transfer(one, OUTSIDE, { externalId: 'gift' })).id);
    expect(await codeOf(world.transfer(two, OUTSIDE, { externalId: 'gift' }))).toBe('external-id-already-used');
    expect(await codeOf(world.transfer(one, OUTSIDE, { externalId: 'other' }))).toBe('certificate-not-owned');
    // What was refused has not used its id.
    expect(await codeOf(world.transfer(two, OUTSIDE, { externalId: 'other' }))).toBe('accepted');
  });
});

describe('a frozen account', () => {
  it('gets no certificate and transfers none', async () => {
    const certificate = await world.minted();
    world.statuses.set(OWNER, 'frozen');
    expect([await codeOf(world.issue()), await codeOf(world.transfer(certificate, OUTSIDE))]).toEqual([
      'account-not-active',
      'account-not-active',
    ]);
  });

  it('that is frozen after the request has nothing signed: the transfer fails, and the certificate is active again', async () => {
    const certificate = await world.minted();
    const { struck } = store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some(({ type }) => type === 'NftTransferCreated'),
    });
    void codeOf(world.transfer(certificate, OUTSIDE, { key: 'late' }));
    await struck;
    await world.stop();
    world = await start();
    world.statuses.set(OWNER, 'frozen');
    await eventually(() =>
      expect(world.ofType('NftTransferFailed').map(({ data }) => data)).toEqual([
        expect.objectContaining({ txHash: null, failure: expect.objectContaining({ code: 'account-not-active' }) }),
      ]),
    );
    await world.standing(certificate.id, 'active');
    const signed = world
      .ofType('TransactionSigned')
      .filter(({ data }) => (data as { purpose?: object }).purpose !== undefined);
    expect(signed).toEqual([]);
  });
});

describe('a transfer whose process dies', () => {
  const STEPS = [
    'MovementExternalIdTaken',
    'CertificateTransferOpened',
    'NftTransferCreated',
    'NftTransferSendingStarted',
    'TransactionIntended',
    'NoncesAllocated',
    'TransactionSigned',
    'NftTransferPending',
    'TransactionConfirmed',
    'CertificateDelivered',
    'NftTransferCompleted',
  ];

  it.each(STEPS)('after %s is carried out once, and its repetition finds it', async (type) => {
    const certificate = await world.minted();
    const target = await world.wallet(OTHER);
    const { struck } = store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some((event) => event.type === type),
    });
    void codeOf(world.transfer(certificate, target, { key: 'mortal', externalId: 'mortal' }));
    await struck;
    await world.stop();
    world = await start();
    const again = await eventually(() => world.transfer(certificate, target, { key: 'mortal', externalId: 'mortal' }));
    expect(await world.ended(again.id)).toMatchObject({ state: 'completed' });
    await world.standing(certificate.id, 'active');
    expect([await chains.base.certificates.ownerOf(referenceOf(certificate.id)), await world.listed(OTHER)]).toEqual([
      target,
      [`${certificate.id} active ${target}`],
    ]);
    for (const once of [
      'CertificateTransferOpened',
      'NftTransferCreated',
      'CertificateDelivered',
      'NftTransferCompleted',
    ])
      expect([once, world.ofType(once).length]).toEqual([once, 1]);
  });
});

describe('a mint whose process dies', () => {
  it.each([
    'CertificateIssued',
    'CertificateMintStarted',
    'TransactionIntended',
    'TransactionSigned',
    'TransactionConfirmed',
    'CertificateMinted',
  ])('after %s is carried out once', async (type) => {
    await world.wallet(OWNER);
    const { struck } = store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some((event) => event.type === type),
    });
    void codeOf(world.issue());
    await struck;
    await world.stop();
    world = await start();
    await eventually(async () => expect((await world.listed(OWNER, 'active')).length).toBe(1));
    for (const once of ['CertificateIssued', 'CertificateMinted'])
      expect([once, world.ofType(once).length]).toEqual([once, 1]);
  });
});
