import { PersonMentioned } from '@ponte/contracts';
import type { Accounts } from '../account/accounts.service';
import type { AccountRequests } from '../account-request/account-requests.service';
import { person as aPerson } from '../person/person.decider';
import type { Persons } from '../person/persons.service';
import { PersonFindings } from '../screening/person-findings.service';

const HIT = { list: 'un-consolidated', entryId: 'QDi.001', score: 100, match: 'sealed:v1:p:x' };

interface Given {
  readonly status: string;
  readonly hits?: number;
}

/** The findings of a person who is the holder in these requests, and the ids of the requests that were read. */
function findingsOf(given: Readonly<Record<string, Given>>) {
  const read: string[] = [];
  const requests = {
    load: async (requestId: string) => {
      read.push(requestId);
      const { status, hits = 0 } = given[requestId] as Given;
      const screening = [{ round: 1, person: 'holder', hits: Array.from({ length: hits }, () => HIT) }];
      const terms = { requestId, details: { mode: 'kyc', holder: { subjectId: 's' }, representative: null } };
      return { status, terms, screening, verdicts: [] };
    },
  };
  const mentioned = Object.keys(given).map(
    (requestId) =>
      new PersonMentioned({
        subjectId: 's',
        mention: { kind: 'account-request', requestId, role: 'holder' },
        mentionedAt: '2036-11-21T12:00:00.000Z',
      }),
  );
  const person = mentioned.reduce(aPerson.evolve, aPerson.initial);
  const findings = new PersonFindings(
    undefined as unknown as Persons,
    requests as unknown as AccountRequests,
    undefined as unknown as Accounts,
  );
  const idsOf = async () => (await findings.requestsOf('s', person)).map(({ state }) => state.terms.requestId);
  return { read, idsOf };
}

describe('The requests of a person', () => {
  it('leave out those that ended without a hit, which are read only once', async () => {
    const { read, idsOf } = findingsOf({
      cancelled: { status: 'cancelled' },
      rejected: { status: 'rejected' },
      expired: { status: 'expired' },
      pending: { status: 'pending' },
    });
    expect(await idsOf()).toEqual(['pending']);
    expect(read).toHaveLength(4);
    expect(await idsOf()).toEqual(['pending']);
    expect(read.slice(4)).toEqual(['pending']);
  });

  it('include those that ended with a hit, and those of accounts', async () => {
    const { idsOf } = findingsOf({
      cancelled: { status: 'cancelled', hits: 1 },
      active: { status: 'active' },
      approved: { status: 'approved' },
    });
    expect(await idsOf()).toEqual(['cancelled', 'active', 'approved']);
    expect(await idsOf()).toEqual(['cancelled', 'active', 'approved']);
  });
});
