import { createHash } from 'node:crypto';
import type { LedgerAccountEvent } from '@ponte/contracts';
import { NO_CHARGES } from '@ponte/contracts';
import { fold } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import fc from 'fast-check';
import { CHUNK_IDS } from './id-chunk.domain';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';
import { ledgerAccountSnapshots } from './ledger-account.snapshot';
import type { LedgerAccount } from './ledger-account.state';
import { RecentIds } from './recent-ids.domain';

const NOW = '2026-11-20T12:00:00.000Z';
const NOW_MS = Date.parse(NOW);
const A = derivedId('snapshot', 'account');
const id = (name: string): string => derivedId('snapshot', name);
const BRL = 'fiat/brl' as const;

/** Every kind of event, with money left over and a hold left open. */
const LIFE: readonly LedgerAccountCommand[] = [
  {
    kind: 'post-deposit',
    accountId: A,
    depositId: id('d1'),
    credit: { asset: BRL, amount: '100.00' },
    hold: null,
    now: NOW,
  },
  {
    kind: 'place-hold',
    accountId: A,
    hold: { holdId: id('h1'), owner: { kind: 'order', id: id('o1') }, asset: BRL, amount: '60.00' },
    now: NOW,
  },
  {
    kind: 'post-exchange',
    accountId: A,
    orderId: id('o1'),
    holdId: id('h1'),
    debit: { asset: BRL, amount: '60.00' },
    credit: { asset: 'eth-base/brlv', amount: '60.000000000000000000' },
    custody: true,
    charges: NO_CHARGES,
    deliveryHold: null,
    now: NOW,
  },
  {
    kind: 'place-hold',
    accountId: A,
    now: NOW,
    hold: {
      holdId: id('h5'),
      owner: { kind: 'order', id: id('o5') },
      asset: 'eth-base/brlv',
      amount: '10.000000000000000000',
    },
  },
  {
    kind: 'post-exchange',
    accountId: A,
    orderId: id('o5'),
    holdId: id('h5'),
    debit: { asset: 'eth-base/brlv', amount: '10.000000000000000000' },
    credit: { asset: BRL, amount: '10.00' },
    custody: false,
    charges: NO_CHARGES,
    now: NOW,
    deliveryHold: { holdId: id('h6'), owner: { kind: 'withdrawal', id: id('w6') }, asset: BRL, amount: '10.00' },
  },
  {
    kind: 'place-hold',
    accountId: A,
    hold: { holdId: id('h2'), owner: { kind: 'order', id: id('o2') }, asset: BRL, amount: '1.00' },
    now: NOW,
  },
  { kind: 'release-hold', accountId: A, holdId: id('h2'), reason: 'order-rolled-back' },
  {
    kind: 'post-deposit',
    accountId: A,
    depositId: id('d2'),
    credit: { asset: BRL, amount: '7.00' },
    hold: { holdId: id('h3'), owner: { kind: 'order', id: id('o3') }, asset: BRL, amount: '7.00' },
    now: NOW,
  },
  {
    kind: 'reverse-deposit',
    accountId: A,
    depositId: id('d2'),
    holdId: id('h3'),
    reason: 'order-rolled-back',
    now: NOW,
  },
  {
    kind: 'place-hold',
    accountId: A,
    hold: { holdId: 'an odd id', owner: { kind: 'order', id: id('o4') }, asset: BRL, amount: '5.00' },
    now: NOW,
  },
];

function lived(commands: readonly LedgerAccountCommand[]): LedgerAccount {
  let state = ledgerAccount.initial;
  for (const command of commands) state = fold(ledgerAccount, state, ledgerAccount.decide(command, state));
  return state;
}

/** Through text and bytes, as a store of snapshots takes it. */
function restored(state: LedgerAccount): LedgerAccount {
  const { head, parts } = ledgerAccountSnapshots.encode(state);
  return ledgerAccountSnapshots.decode({
    head: JSON.parse(JSON.stringify(head)),
    parts: parts.map((part) => Buffer.from(part)),
  });
}

const decided = (command: LedgerAccountCommand, state: LedgerAccount): readonly LedgerAccountEvent[] | string => {
  try {
    return ledgerAccount.decide(command, state);
  } catch (refused) {
    return String(refused);
  }
};

describe('snapshots of an account', () => {
  it('a restored state decides as the one that it was taken of', () => {
    const before = lived(LIFE);
    const after = restored(before);
    expect(after.balances).toEqual(before.balances);
    expect(new Map(after.holds.all())).toEqual(new Map(before.holds.all()));
    for (const command of LIFE) expect(decided(command, after)).toEqual(decided(command, before));
    expect(ledgerAccountSnapshots.encode(after)).toEqual(ledgerAccountSnapshots.encode(before));
  });

  it('the shape has a new version when what is kept of a known life changes', () => {
    const { head, parts } = ledgerAccountSnapshots.encode(lived(LIFE));
    const digest = createHash('sha256').update(JSON.stringify(head));
    for (const part of parts) digest.update(part);
    // When this fails: raise the shape's version, so that snapshots of the old one are ignored, and put both new values
    // here.
    expect([ledgerAccountSnapshots.shape, digest.digest('hex').slice(0, 16)]).toEqual([2, '5e24e7d2c1039bcb']);
  });

  it('what is damaged is not decoded', () => {
    const { head, parts } = ledgerAccountSnapshots.encode(lived(LIFE));
    expect(() => ledgerAccountSnapshots.decode({ head, parts: [] })).toThrow(/missing/);
    expect(() => ledgerAccountSnapshots.decode({ head, parts: [Uint8Array.from(parts[0]?.slice(1) ?? [])] })).toThrow(
      /packed ids/,
    );
  });
});

describe('ids that are remembered', () => {
  const name = fc.oneof(
    fc.nat({ max: 40 }).map((at) => `deposit:${id(String(at))}`),
    fc.nat({ max: 40 }).map((at) => id(String(at))),
    fc.nat({ max: 9 }).map((at) => `odd ${at}`),
    fc.nat({ max: 9 }).map((at) => `deposit:${id(String(at)).toUpperCase()}`),
  );

  it('every version keeps its own answers, whichever is continued, also out of a snapshot', () => {
    const step = fc.record({ of: fc.nat(), name, decode: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.array(name, { maxLength: 20 }), (steps, probes) => {
        const versions: { ids: RecentIds; model: Set<string> }[] = [{ ids: RecentIds.none, model: new Set() }];
        for (const { of, name: added, decode } of steps) {
          const from = versions[of % 3 === 0 ? of % versions.length : versions.length - 1];
          if (!from) throw new Error('no version');
          const { head, parts } = from.ids.encode();
          const ids = decode
            ? RecentIds.decode(
                head,
                parts.map((part) => part.slice()),
              )
            : from.ids;
          versions.push({ ids: ids.with(added, NOW_MS), model: new Set([...from.model, added]) });
        }
        for (const { ids, model } of versions) {
          for (const probe of [...model, ...probes]) expect(ids.has(probe)).toBe(model.has(probe));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('chunks that are full stay the same object from one snapshot to the next', () => {
    let ids = RecentIds.none;
    for (let at = 0; at <= 2 * CHUNK_IDS; at += 1) ids = ids.with(`deposit:${id(String(at))}`, NOW_MS);
    const before = ids.encode().parts;
    const after = ids.with(id('one more'), NOW_MS).encode().parts;
    expect(before.map(({ byteLength }) => byteLength)).toEqual([CHUNK_IDS * 17, CHUNK_IDS * 17, 17]);
    expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, true, false]);
  });

  it('continuing an older version copies one chunk, not all ids', () => {
    let ids = RecentIds.none;
    for (let at = 0; at < 4 * CHUNK_IDS; at += 1) ids = ids.with(id(String(at)), NOW_MS);
    const [first] = ids.encode().parts;
    const versions = [ids.with(id('a'), NOW_MS), ids.with(id('b'), NOW_MS)];
    expect(versions.map((one) => [one.has(id('a')), one.has(id('b')), one.encode().parts[0] === first])).toEqual([
      [true, false, true],
      [false, true, true],
    ]);
  });
});
