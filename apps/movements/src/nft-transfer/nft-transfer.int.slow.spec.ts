import { eventually } from '@ponte/testing';
import type { CertificatesUnderTest } from '../testing/certificates-under-test';
import { OTHER, OWNER } from '../testing/certificates-under-test';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { codeOf } from '../testing/simulated-chains';
import { referenceOf } from '../token-movement/chain-values.domain';

const OUTSIDE = `0x${'cd'.repeat(20)}` as const;
const AT_ONCE = 64;

const service = CertificatesForEachTest.of();
let movements: CertificatesUnderTest;
let chains: CertificatesForEachTest['chains'];
beforeEach(() => {
  movements = service.movements;
  chains = service.chains;
});

describe('one certificate', () => {
  it(`is transferred by exactly one of ${AT_ONCE} parallel transfers`, async () => {
    const certificate = await movements.minted();
    const target = await movements.wallet(OTHER);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => codeOf(movements.transfer(certificate, target))),
    );
    const won = answers.filter((one) => one === 'accepted').length;
    expect([won, new Set(answers)]).toEqual([1, new Set(['accepted', 'certificate-not-owned'])]);
    await eventually(() => expect(movements.ofType('NftTransferCompleted')).toHaveLength(1));
  });

  it('is in one transfer per idempotency key, whatever bodies are sent with the key', async () => {
    const [one, two] = [await movements.minted(), await movements.minted()];
    const same = await Promise.all(Array.from({ length: 20 }, () => movements.transfer(one, OUTSIDE, { key: 'same' })));
    expect(new Set(same.map((record) => JSON.stringify(record))).size).toBe(1);
    expect(await codeOf(movements.transfer(two, OUTSIDE, { key: 'same', bodyHash: 'other' }))).toBe(
      'idempotency-key-reused',
    );
    await movements.standing(two.id, 'active');
    const [third, fourth] = [await movements.minted(), await movements.minted()];
    const rivals = await Promise.all(
      [third, fourth].map((each, at) =>
        codeOf(movements.transfer(each, OUTSIDE, { key: 'rivals', bodyHash: String(at) })),
      ),
    );
    expect(rivals.sort()).toEqual(['accepted', 'idempotency-key-reused']);
    await eventually(() => expect(movements.ofType('NftTransferCompleted')).toHaveLength(2));
    await eventually(async () => expect((await movements.listed(OWNER, 'active')).length).toBe(2));
  });

  it('accepts an external id once, separately from token transfers', async () => {
    const [one, two] = [await movements.minted(), await movements.minted()];
    await movements.ended((await movements.transfer(one, OUTSIDE, { externalId: 'gift' })).id);
    expect(await codeOf(movements.transfer(two, OUTSIDE, { externalId: 'gift' }))).toBe('external-id-already-used');
    expect(await codeOf(movements.transfer(one, OUTSIDE, { externalId: 'other' }))).toBe('certificate-not-owned');
    // A refused request has not used its external id.
    expect(await codeOf(movements.transfer(two, OUTSIDE, { externalId: 'other' }))).toBe('accepted');
  });
});

describe('a frozen account', () => {
  it('gets no certificate and transfers none', async () => {
    const certificate = await movements.minted();
    movements.statuses.set(OWNER, 'frozen');
    expect([await codeOf(movements.issue()), await codeOf(movements.transfer(certificate, OUTSIDE))]).toEqual([
      'account-not-active',
      'account-not-active',
    ]);
  });

  it('gets no transaction for an earlier request: the transfer fails and the certificate is active', async () => {
    const certificate = await movements.minted();
    const { struck } = service.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some(({ type }) => type === 'NftTransferCreated'),
    });
    void codeOf(movements.transfer(certificate, OUTSIDE, { key: 'late' }));
    await struck;
    await service.restart(({ statuses }) => statuses.set(OWNER, 'frozen'));
    movements = service.movements;
    await eventually(() =>
      expect(movements.ofType('NftTransferFailed').map(({ data }) => data)).toEqual([
        expect.objectContaining({ txHash: null, failure: expect.objectContaining({ code: 'account-not-active' }) }),
      ]),
    );
    await movements.standing(certificate.id, 'active');
    const signed = movements
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

  it.each(STEPS)('after %s is executed once, and a repeated request finds it', async (type) => {
    const certificate = await movements.minted();
    const target = await movements.wallet(OTHER);
    const { struck } = service.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some((event) => event.type === type),
    });
    void codeOf(movements.transfer(certificate, target, { key: 'mortal', externalId: 'mortal' }));
    await struck;
    await service.restart();
    movements = service.movements;
    const again = await eventually(() =>
      movements.transfer(certificate, target, { key: 'mortal', externalId: 'mortal' }),
    );
    expect(await movements.ended(again.id)).toMatchObject({ state: 'completed' });
    await movements.standing(certificate.id, 'active');
    expect([
      await chains.base.certificates.ownerOf(referenceOf(certificate.id)),
      await movements.listed(OTHER),
    ]).toEqual([target, [`${certificate.id} active ${target}`]]);
    for (const once of [
      'CertificateTransferOpened',
      'NftTransferCreated',
      'CertificateDelivered',
      'NftTransferCompleted',
    ])
      expect([once, movements.ofType(once).length]).toEqual([once, 1]);
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
  ])('after %s is executed once', async (type) => {
    await movements.wallet(OWNER);
    const { struck } = service.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some((event) => event.type === type),
    });
    void codeOf(movements.issue());
    await struck;
    await service.restart();
    movements = service.movements;
    await eventually(async () => expect((await movements.listed(OWNER, 'active')).length).toBe(1));
    for (const once of ['CertificateIssued', 'CertificateMinted'])
      expect([once, movements.ofType(once).length]).toEqual([once, 1]);
  });
});
