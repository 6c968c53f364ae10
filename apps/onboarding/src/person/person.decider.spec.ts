import { PersonMentioned } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { PersonCommand } from './person.decider';
import { person } from './person.decider';

const AT = '2036-11-21T12:00:00.000Z';
const named = (requestId: string) =>
  new PersonMentioned({
    subjectId: 's',
    mention: { kind: 'account-request', requestId, role: 'holder' },
    mentionedAt: AT,
  });
const erase = (mentions: number): PersonCommand => ({
  ...{ kind: 'erase', subjectId: 's', requestedBy: 'approver', expected: 'erased', at: AT },
  ...{ retainedUntil: '2035-11-21T12:00:00.000Z', mentions },
});

describe('An erasure', () => {
  it('covers the records that were looked at: a request that names the person meanwhile stops it', () => {
    expect(
      scenario(person)
        .given(named('old'))
        .when(erase(1))
        .events()
        .map(({ type }) => type),
    ).toEqual(['PersonErased']);
    const refusal = scenario(person).given(named('old'), named('new')).when(erase(1)).refusal() as Refusal;
    expect(refusal.violations).toMatchObject([{ code: 'erasure-not-confirmed', path: 'token' }]);
  });
});
