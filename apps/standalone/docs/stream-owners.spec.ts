import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SERVICE_CATEGORIES, SERVICES, UNPUBLISHED_EVENTS } from '@ponte/contracts';
import { decidedCategories, withStreamOwners } from './stream-owners';

/** A projector appends to the outbox, without a decider. */
const WITHOUT_DECIDER = ['outbox', 'webhookRelease'];

interface Declared {
  readonly category: string;
  readonly events: readonly { readonly type: string }[];
}
const isDecider = (one: unknown): one is Declared =>
  typeof one === 'object' && one !== null && 'category' in one && 'events' in one;

describe('the table of stream owners in docs/architecture.md', () => {
  it('matches the code (npm run docs writes it)', () => {
    const document = readFileSync('docs/architecture.md', 'utf8');
    expect(document).toBe(withStreamOwners(document));
  });

  it('names one owner for each category', () => {
    const all = SERVICES.flatMap(decidedCategories);
    expect(all).toEqual([...new Set(all)]);
  });

  it('leaves out the events of exactly the categories that are not published', async () => {
    const unpublished: string[] = [];
    for (const service of SERVICES) {
      const folder = resolve(`apps/${service}/src`);
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.decider.ts')) continue;
        const deciders = Object.values((await import(join(folder, file))) as Readonly<Record<string, unknown>>);
        for (const { category, events } of deciders.filter(isDecider))
          if (!SERVICE_CATEGORIES[service].includes(category)) unpublished.push(...events.map(({ type }) => type));
      }
    }
    expect(unpublished.sort()).toEqual([...UNPUBLISHED_EVENTS].sort());
  });

  it('publishes no category without a decider', () => {
    for (const service of SERVICES)
      expect([...decidedCategories(service), ...WITHOUT_DECIDER]).toEqual(
        expect.arrayContaining([...SERVICE_CATEGORIES[service]]),
      );
  });
});
