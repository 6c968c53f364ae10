import {
  DepositConfirmed,
  DepositCreated,
  DepositCredited,
  DepositPosted,
  DepositPostedAndHeld,
  PixChargeOpened,
  PixChargePaid,
  PixChargePaymentAccepted,
  PixChargeRequested,
} from '@ponte/contracts';
import type { Life, Step, Fixtures } from './fixtures';
import { step } from './fixtures';

interface Charge {
  readonly number: number;
  readonly accountId: string;
  readonly parentId: string;
  readonly orderId: string;
  readonly txid: string;
  readonly holdId: string;
  readonly amount: string;
  readonly expiration: string;
}

/** The sealed bank details of a payer. */
function coordinates(fixtures: Fixtures, number: number, target: string) {
  const subject = fixtures.seeded.id('payer', number % 5_000);
  return {
    sourceTaxId: fixtures.sealed(subject, 'tax'),
    sourceTaxIdFingerprint: fixtures.seeded.hex(32, 'fingerprint', number % 5_000).slice(2),
    sourceLegalName: fixtures.sealed(subject, 'name'),
    sourceBankCode: '341',
    sourceType: 'checking',
    sourceAccountNumber: fixtures.sealed(subject, 'account'),
    sourceBranchCode: fixtures.sealed(subject, 'branch'),
    target,
  } as const;
}

/** A charge that is opened and paid correctly. Returns the deposit's id. */
export function* paidCharge(
  fixtures: Fixtures,
  { number, accountId, parentId, orderId, txid, holdId, amount, expiration }: Charge,
): Generator<Step, string> {
  const charge = `pixCharge-${txid}`;
  const depositId = fixtures.seeded.id('deposit', number);
  const origin = coordinates(fixtures, number, txid);
  const fact = { depositId, accountId, type: 'pix', asset: 'fiat/brl', amount } as const;
  const now = fixtures.now();
  yield step(
    charge,
    new PixChargeRequested({
      txid,
      accountId,
      parentId,
      orderId,
      amount,
      expiration,
      payerTaxIdFingerprint: origin.sourceTaxIdFingerprint,
    }),
  );
  yield step(charge, new PixChargeOpened({ txid, brcode: `00020126${txid}6304ABCD`.padEnd(180, '0'), openedAt: now }));
  yield step(
    `deposit-${depositId}`,
    new DepositCreated({
      ...fact,
      parentId,
      endToEndId: `E341${depositId.replaceAll('-', '').slice(0, 28)}`,
      orderId,
      coordinates: origin,
      settledAt: now,
      createdAt: now,
    }),
  );
  yield step(charge, new PixChargePaymentAccepted({ txid, orderId, accountId, depositId, holdId, settledAt: now }));
  const hold = { holdId, owner: { kind: 'order' as const, id: orderId }, asset: 'fiat/brl' as const, amount };
  const credit = { asset: 'fiat/brl' as const, amount };
  yield step(
    `ledgerAccount-${accountId}`,
    new DepositPostedAndHeld({
      accountId,
      postingId: fixtures.seeded.id('posting-of-deposit', number),
      depositId,
      credit,
      hold,
      postedAt: now,
      postings: [
        { account: `customer:${accountId}`, asset: 'fiat/brl', amount },
        { account: 'house:settlement', asset: 'fiat/brl', amount: `-${amount}` },
      ],
    }),
  );
  yield step(`deposit-${depositId}`, new DepositConfirmed({ depositId, accountId, confirmedAt: now }));
  yield step(charge, new PixChargePaid({ txid, orderId, accountId, depositId, holdId, settledAt: now }));
  yield step(`deposit-${depositId}`, new DepositCredited({ ...fact, processedAt: now, orderId, coordinates: origin }));
  return depositId;
}

/** A deposit that is credited to the balance. */
export function* depositLife(fixtures: Fixtures, number: number): Life {
  const at = fixtures.seeded.below(fixtures.accounts);
  const [accountId, parentId, depositId] = [
    fixtures.accountId(at),
    fixtures.partnerOf(at),
    fixtures.seeded.id('plain-deposit', number),
  ];
  const origin = coordinates(fixtures, number, accountId.replaceAll('-', '').slice(0, 26));
  const fact = { depositId, accountId, type: 'pix', asset: 'fiat/brl', amount: '250.00' } as const;
  const now = fixtures.now();
  yield step(
    `deposit-${depositId}`,
    new DepositCreated({
      ...fact,
      parentId,
      endToEndId: `E033${depositId.replaceAll('-', '').slice(0, 28)}`,
      orderId: null,
      coordinates: origin,
      settledAt: now,
      createdAt: now,
    }),
  );
  yield step(`deposit-${depositId}`, new DepositConfirmed({ depositId, accountId, confirmedAt: now }));
  yield step(
    `ledgerAccount-${accountId}`,
    new DepositPosted({
      accountId,
      postingId: fixtures.seeded.id('plain-posting', number),
      depositId,
      credit: { asset: 'fiat/brl', amount: '250.00' },
      postedAt: now,
      postings: [
        { account: `customer:${accountId}`, asset: 'fiat/brl', amount: '250.00' },
        { account: 'house:settlement', asset: 'fiat/brl', amount: '-250.00' },
      ],
    }),
  );
  yield step(
    `deposit-${depositId}`,
    new DepositCredited({ ...fact, processedAt: now, orderId: null, coordinates: origin }),
  );
}
