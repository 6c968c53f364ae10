import { readFileSync } from 'node:fs';
import { SERVICE_CATEGORIES, SERVICES } from '@ponte/contracts';
import { decidedCategories, withStreamOwners } from './stream-owners';

/** A projector appends to the outbox, without a decider. */
const WITHOUT_DECIDER = ['outbox'];

describe('the table of stream owners in docs/architecture.md', () => {
  it('matches the code (npm run docs writes it)', () => {
    const document = readFileSync('docs/architecture.md', 'utf8');
    expect(document).toBe(withStreamOwners(document));
  });

  it('names one owner for each category', () => {
    const all = SERVICES.flatMap(decidedCategories);
    expect(all).toEqual([...new Set(all)]);
  });

  it('publishes no category without a decider', () => {
    for (const service of SERVICES)
      expect([...decidedCategories(service), ...WITHOUT_DECIDER]).toEqual(
        expect.arrayContaining([...SERVICE_CATEGORIES[service]]),
      );
  });
});
