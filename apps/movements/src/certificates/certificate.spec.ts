import {
  CertificateDelivered,
  CertificateIssued,
  CertificateMinted,
  CertificateMintFailed,
  CertificateMintStarted,
  CertificateTransferOpened,
  CertificateTransferReleased,
} from '@ponte/contracts';
import type { CertificateEvent } from '@ponte/contracts';
import { scenario, StateBehindEvent } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { CertificateCommand, OpenedTransfer } from './certificate.decider';
import { certificate } from './certificate.decider';
import { certificateRecords } from './certificate.record';
import { MINT_FAILURES } from './certificate.errors';
import { certificateRows } from './certificates.read-model';

type Delivery = Extract<CertificateCommand, { kind: 'deliver' }>;
const AT = '2026-03-01T12:00:00.000Z';
const certificateId = derivedId('certificate', 'one');
const about = { certificateId, accountId: 'a' };
const terms = {
  ...about,
  parentId: 'p',
  chain: 'eth-base',
  walletId: 'w',
  walletAddress: '0x1',
  amount: '1.0',
  rewardTier: 90,
  issuedBy: 'staff',
  issuedAt: AT,
} as const;
const transfer: OpenedTransfer = {
  transferId: 't',
  accountId: 'a',
  createdBy: 'p',
  createdByApiKey: 'k',
  certificateId,
  sourceAddress: '0x1',
  targetAddress: '0x2',
  parentId: 'p',
  sourceWalletId: 'w',
  receiver: null,
  bodyHash: 'h',
  externalId: null,
  createdAt: AT,
};
const issued = new CertificateIssued(terms);
const started = new CertificateMintStarted({ ...about, startedAt: AT });
const minted = new CertificateMinted({ ...about, txHash: '0xa', mintedAt: AT });
const opened = new CertificateTransferOpened({ ...about, transfer });
const released = new CertificateTransferReleased({ ...about, transferId: 't', releasedAt: AT });
const receiver = { accountId: 'b', parentId: null, walletId: 'v' };
const delivered = (holder: typeof receiver | null, address = '0x2') =>
  new CertificateDelivered({ ...about, transferId: 't', txHash: '0xb', address, holder, deliveredAt: AT });
const given = (...past: CertificateEvent[]) => scenario(certificate).given(...past);
const open = (more: Partial<OpenedTransfer> = {}) =>
  ({ kind: 'open-transfer', transfer: { ...transfer, ...more } }) as const;

describe('a reward certificate', () => {
  it('is issued and minted once, and is not issued again with different terms', () => {
    given().when({ kind: 'issue', terms }).then(issued);
    given(issued)
      .when({ kind: 'issue', terms: { ...terms, issuedAt: 'later', issuedBy: 'another' } })
      .then();
    expect(
      given(issued)
        .when({ kind: 'issue', terms: { ...terms, amount: '2.0' } })
        .refusal(),
    ).toMatchObject({ code: 'idempotency-key-reused' });
    given(issued).when({ kind: 'start-mint', at: AT }).then(started);
    given(issued, started).when({ kind: 'start-mint', at: AT }).then();
    given(issued, started).when({ kind: 'note-minted', txHash: '0xa', at: AT }).then(minted);
    given(issued, started, minted).when({ kind: 'note-minted', txHash: '0xa', at: AT }).then();
  });

  it('can fail only through its transaction once its mint may be on the chain', () => {
    const failure = MINT_FAILURES.frozen;
    const failed = new CertificateMintFailed({ ...about, txHash: null, failure, failedAt: AT });
    given(issued).when({ kind: 'fail-mint', txHash: null, failure, at: AT }).then(failed);
    given(issued, started).when({ kind: 'fail-mint', txHash: null, failure, at: AT }).then();
    given(issued, started).when({ kind: 'fail-mint', txHash: null, ended: true, failure, at: AT }).then(failed);
    expect(given(issued, started).when({ kind: 'fail-mint', txHash: '0xa', failure, at: AT }).events()).toHaveLength(1);
    expect(() =>
      given(issued, started, minted).when({ kind: 'fail-mint', txHash: '0xa', failure, at: AT }).events(),
    ).toThrow('cannot change');
    expect(given(issued, failed).when(open()).refusal()).toMatchObject({ code: 'certificate-not-owned' });
  });

  it('has at most one open transfer, from the wallet that holds it', () => {
    given(issued, minted).when(open()).then(opened);
    given(issued, minted, opened).when(open()).then();
    const refused = [
      given().when(open()),
      given(issued).when(open()),
      given(issued, minted, opened).when(open({ transferId: 'other' })),
    ];
    refused.push(
      given(issued, minted).when(open({ accountId: 'b' })),
      given(issued, minted).when(open({ sourceAddress: '0x3' })),
    );
    refused.push(given(issued, minted, opened, delivered(null)).when(open({ transferId: 'other' })));
    for (const one of refused) expect(one.refusal()).toMatchObject({ code: 'certificate-not-owned' });
    given(issued, minted, opened).when({ kind: 'release', transferId: 't', at: AT }).then(released);
    given(issued, minted, opened).when({ kind: 'release', transferId: 'other', at: AT }).then();
    expect(
      given(issued, minted, opened, released)
        .when(open({ transferId: 'other' }))
        .events(),
    ).toHaveLength(1);
  });

  it('is delivered once, only by its open transfer, and then belongs to its receiver', () => {
    const deliver = (more: Partial<Delivery> = {}): Delivery => ({
      ...{ kind: 'deliver', transferId: 't', txHash: '0xb', address: '0x2', holder: receiver, at: AT, ...more },
    });
    const past = [issued, minted, opened];
    given(...past)
      .when(deliver())
      .then(delivered(receiver));
    given(...past)
      .when(deliver({ holder: null }))
      .then(delivered(null));
    given(...past)
      .when(deliver({ transferId: 'other' }))
      .then();
    for (const ended of [released, delivered(receiver)])
      given(...past, ended)
        .when(deliver())
        .then();
    given(...past, delivered(receiver))
      .when({ kind: 'release', transferId: 't', at: AT })
      .then();
    const next = { transferId: 'back', accountId: 'b', sourceAddress: '0x2' };
    expect(
      given(...past, delivered(receiver))
        .when(open(next))
        .events(),
    ).toMatchObject([{ data: { accountId: 'b', transfer: next } }]);
    for (const change of [{ accountId: 'a' }, { sourceAddress: '0x1' }])
      expect(
        given(...past, delivered(receiver))
          .when(open({ ...next, ...change }))
          .refusal(),
      ).toMatchObject({ code: 'certificate-not-owned' });
  });

  it('ends its mint once: a mint that failed is not started, failed or completed again', () => {
    const failure = MINT_FAILURES.frozen;
    const failed = new CertificateMintFailed({ ...about, txHash: null, failure, failedAt: AT });
    given(issued, failed).when({ kind: 'start-mint', at: AT }).then();
    given(issued, minted).when({ kind: 'start-mint', at: AT }).then();
    for (const txHash of [null, '0xa'])
      given(issued, failed).when({ kind: 'fail-mint', txHash, failure, at: AT }).then();
    expect(() => given(issued, failed).when({ kind: 'note-minted', txHash: '0xa', at: AT }).events()).toThrow(
      'cannot change',
    );
    given(issued, minted, opened).when({ kind: 'note-minted', txHash: '0xa', at: AT }).then();
  });

  it('makes every step wait while this process does not know it yet', () => {
    const steps = [
      ...[{ kind: 'start-mint', at: AT } as const, { kind: 'note-minted', txHash: '0xa', at: AT } as const],
      { kind: 'release', transferId: 't', at: AT } as const,
    ];
    for (const step of steps) expect(() => given().when(step).events()).toThrow(StateBehindEvent);
    expect(() => given(minted).state()).toThrow('not issued');
  });

  it('is shown to each account that has or had it, once', () => {
    const shown = (...past: CertificateEvent[]) =>
      certificateRecords(given(...past).state()).map((one) => `${one.accountId} ${one.status} ${one.walletAddress}`);
    expect(shown()).toEqual([]);
    expect(shown(issued, minted, opened)).toEqual(['a transferring 0x1']);
    expect(shown(issued, minted, opened, delivered(null))).toEqual(['a transferred 0x1']);
    expect(shown(issued, minted, opened, delivered(receiver))).toEqual(['a transferred 0x1', 'b active 0x2']);
    expect(shown(issued, minted, opened, delivered({ ...receiver, accountId: 'a' }))).toEqual(['a active 0x2']);
    const back = { ...transfer, transferId: 't', accountId: 'b', sourceAddress: '0x2', targetAddress: '0x1' };
    const again = [
      new CertificateTransferOpened({ ...about, accountId: 'b', transfer: back }),
      delivered({ ...receiver, accountId: 'a' }, '0x1'),
    ];
    expect(shown(issued, minted, opened, delivered(receiver), ...again)).toEqual(['b transferred 0x2', 'a active 0x1']);
  });

  it("is in lists from its mint on, with one row marked as the last holder's", () => {
    const rows = (...past: CertificateEvent[]) =>
      certificateRows(given(...past).state(), past.length).map(({ account_id, listed, last }) => [
        account_id,
        listed,
        last,
      ]);
    expect(rows(issued)).toEqual([['a', null, 1]]);
    expect(rows(issued, minted, opened, delivered(receiver))).toEqual([
      ['a', 1, null],
      ['b', 1, 1],
    ]);
  });
});
