import * as fc from 'fast-check';
import type { RewardTier } from '@ponte/kernel';
import { tierCapability } from '@ponte/kernel';
import type { ClearKycRequest } from '@ponte/contracts';
import type { ParentFacts, RequestFacts } from './facts.domain';
import { permissionViolations, requestViolations } from './request-rules.domain';
import {
  NO_PEP,
  HOME,
  ABROAD,
  RG,
  PASSPORT,
  brazilian,
  foreigner,
  REQUEST,
  FACTS,
  wallet,
  ONE,
  TWO,
  reported,
} from '../testing/kyc-request';

describe('properties', () => {
  const document = fc.constantFrom(RG, PASSPORT, { ...PASSPORT, type: 'cnh' as const });
  const pep = fc.constantFrom(NO_PEP, {
    declared: true,
    fullName: 'P E P',
    role: 'mayor',
    relationship: 'spouse' as const,
  });
  const home = fc
    .record({
      cpf: fc.constantFrom('52998224725', '111.444.777-35', '90000000175'),
      address: fc.constantFrom(HOME, ABROAD),
      document,
      pep,
      born: fc.date({ min: new Date('1930-01-01'), max: new Date('2008-11-20'), noInvalidDate: true }),
    })
    .map(({ cpf, address, document: shown, pep: exposed, born }) => ({
      ...brazilian,
      identifier: { value: cpf, country: 'BRA' },
      address,
      document: shown,
      pep: exposed,
      dateOfBirth: born.toISOString().slice(0, 10),
    }));
  const away = fc
    .record({ passport: fc.stringMatching(/^[A-Z0-9]{5,20}$/), address: fc.constantFrom(HOME, ABROAD), pep })
    .map(({ passport, address, pep: exposed }) => ({
      ...foreigner,
      identifier: { value: passport, country: 'ARG' },
      taxResidence: 'DEU',
      document: PASSPORT,
      address,
      pep: exposed,
    }));
  const person = fc.oneof(home, away);
  const valid = fc
    .record({
      holder: person,
      representative: fc.option(
        away.map((one) => ({
          ...one,
          identifier: { ...one.identifier, country: 'URY' },
          powerOfAttorneyFileId: 'ev_POWER',
        })),
      ),
      wallets: fc.constantFrom([], [wallet(ONE)], [wallet(ONE), wallet(TWO)]),
    })
    .map(({ holder, representative, wallets }): ClearKycRequest => ({
      ...REQUEST,
      ...holder,
      representative,
      externalWallets: wallets,
    }));
  const facts: RequestFacts = { ...FACTS, takenWallets: new Set([`0x${'d'.repeat(40)}`]) };

  it('rules 1 and 2: who may ask for this tier may, and one broken rule is exactly one fault', () => {
    const tiers = fc.constantFrom<RewardTier>(90, 93.5, 97);
    const others = fc.array(fc.constantFrom('manage-holders', 'international-travels', 'rate-lock-5m'));
    fc.assert(
      fc.property(valid, tiers, others, (request, tier, more) => {
        const able: ParentFacts = { active: true, mode: 'kyc', capabilities: [...more, tierCapability(tier)] };
        const judge = (parent: ParentFacts) =>
          reported([...permissionViolations('kyc', tier, parent), ...requestViolations(request, facts)]);
        expect(judge(able)).toEqual([]);
        expect(judge({ ...able, mode: 'reliance' })).toEqual(['reliance-mode-parent ']);
        expect(
          judge({
            ...able,
            capabilities: [...more, ...([90, 93.5, 97] as const).filter((one) => one !== tier).map(tierCapability)],
          }),
        ).toEqual(['missing-capability reward-tier']);
      }),
    );
  });
});
