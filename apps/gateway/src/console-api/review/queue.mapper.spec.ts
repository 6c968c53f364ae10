import { historyEntryDto } from './queue.mapper';

describe('an entry of the history of a case', () => {
  const shown = (type: string, facts: Record<string, unknown>) =>
    historyEntryDto({ type, at: '2026-03-02T12:00:00.000Z', actor: null, facts }, () => null);

  it('names the accounts that were stopped, from which the reviewer has to judge the person', () => {
    const facts = { person: 'holder', round: 1, hits: 0, stoppedAccounts: ['a'] };
    expect(shown('ScreeningRecorded', facts)).toMatchObject({
      type: 'screening-recorded',
      facts: { person: 'holder', round: 1, hits: 0, 'stopped-accounts': ['a'] },
    });
  });

  it('leaves out facts that have no name on the wire', () => {
    expect(shown('ScreeningRecorded', { secret: 'x' }).facts).toEqual({});
  });
});
