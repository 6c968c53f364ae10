import { tokenFacts, waitingFromClearing, waitingTokens } from '../set-aside/set-aside.testing';
import { after, decided } from '../suspense/suspense.testing';
import type { DepositCommand } from '../deposit/deposit.state';
import { isForRules, isUnfinished, movementDepositIdOf } from '../deposit/deposit.state';
import { NOW, factsOf } from '../deposit/deposit.testing';

const LATER = '2026-11-20T12:05:00.000Z';
const HITS = [{ list: 'ofac-sdn', entryId: '7', programs: ['CYBER2'] }];
const create: DepositCommand = { kind: 'create', facts: tokenFacts() };
const [confirm, reorg, credit, refuseSender] = (
  ['confirm-arrival', 'void-reorged', 'credit', 'refuse-sender'] as const
).map((kind): DepositCommand => ({ kind, now: LATER })) as [
  DepositCommand,
  DepositCommand,
  DepositCommand,
  DepositCommand,
];
const finalize = (hits: typeof HITS = []): DepositCommand => ({ kind: 'finalize-arrival', hits, now: LATER });
const accept: DepositCommand = { kind: 'validate', validation: { accepted: true, accountId: 'closed' }, now: LATER };
const pix: DepositCommand = { kind: 'create', facts: factsOf('E1', '1.00', { accountId: 'closed' }) };
const typesOf = (...commands: DepositCommand[]) => after(...commands).types;

describe('Tokens that arrive from outside', () => {
  it('are credited only once their block is final, with the time at which they arrived', () => {
    for (const early of [[], [confirm]]) expect(decided([create, ...early], credit)).toEqual([]);
    expect(typesOf(create, confirm, confirm, finalize(), finalize(), credit, credit)).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositFinalized',
      'DepositCredited',
    ]);
    const [credited] = decided([create, confirm, finalize()], credit);
    expect(credited?.data).toMatchObject({ accountId: 'closed', processedAt: LATER, createdAt: NOW });
  });

  it('are for the chain to confirm, not for the rules', () => {
    expect(isForRules(tokenFacts())).toBe(false);
    expect(decided([create], accept)).toEqual([]);
    expect(isUnfinished(after(create).state)).toBe(false);
    expect(isUnfinished(after(create, confirm).state)).toBe(false);
    expect(isUnfinished(after(create, confirm, finalize()).state)).toBe(true);
  });

  it('are confirmed together with the finality of their block, if that is known first', () => {
    const [confirmed, finalized, ...others] = decided([create], finalize());
    expect([confirmed?.type, finalized, others]).toEqual([
      'DepositConfirmed',
      { type: 'DepositFinalized', data: { depositId: tokenFacts().depositId, finalizedAt: LATER } },
      [],
    ]);
    expect(typesOf(create, finalize(), confirm, credit).slice(3)).toEqual(['DepositCredited']);
  });

  it('are voided when their block is replaced before it is final, and never afterwards', () => {
    for (const before of [[create], [create, confirm]]) {
      const [voided, ...others] = decided(before, reorg);
      expect([voided?.data, others]).toMatchObject([{ accountId: 'closed', reason: 'reorged', returnId: null }, []]);
      const { types, state } = after(...before, reorg, reorg, confirm, finalize(), credit);
      expect([types.at(-1), isUnfinished(state)]).toEqual(['DepositVoided', false]);
    }
    for (const before of [[create, finalize()], [create, finalize(), credit], waitingFromClearing(), [pix], []])
      expect(decided(before, reorg)).toEqual([]);
  });

  it('of a sender on a sanctions list keep the entries, and are voided without a return if staff refuse them', () => {
    const listed = [create, confirm, finalize(HITS)];
    expect(after(...listed).state).toMatchObject({ status: 'confirmed', final: true, hits: HITS });
    const [voided, ...others] = decided(listed, refuseSender);
    expect([voided?.data, others]).toMatchObject([{ reason: 'compliance', returnId: null }, []]);
    expect(typesOf(...listed, credit).at(-1)).toBe('DepositCredited');
    for (const before of [waitingTokens(), [create], [...listed, credit], [...listed, refuseSender], []])
      expect(decided(before, refuseSender)).toEqual([]);
  });
});

describe('The arrival of tokens', () => {
  it('is not reported for a deposit of another kind', () => {
    for (const before of [[pix], [pix, accept], waitingFromClearing(), []])
      for (const command of [confirm, finalize()]) expect(decided(before, command)).toEqual([]);
  });

  // A release that derived another id would credit the movements of the release before it again.
  it('from another Ponte account has the same deposit in every release', () => {
    expect(movementDepositIdOf('movement-1')).toBe('afff674e-1109-8349-b2b9-bc566b7fb381');
    expect(movementDepositIdOf('movement-1')).not.toBe(movementDepositIdOf('movement-2'));
  });
});
