import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { startWithPartner } from '../testing/requests';

const HOUR_MS = 3_600_000;

let onboarding: OnboardingUnderTest;
beforeEach(async () => {
  ({ onboarding } = await startWithPartner({ environment: 'production', screenAgainEveryMs: 30 }));
});
afterEach(() => onboarding.stop());

const samples = async (name: string) => {
  const values = (await onboarding.engines.metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
  return values.map(({ labels, value }) => [Object.values(labels).join(), Math.round(value / 60)]);
};

describe('the metrics of ongoing screening', () => {
  it('show the age and the lists of the last completed round, and findings that wait with their age', async () => {
    const { screening } = onboarding.vendors;
    const age = () => samples('ponte_screening_round_age_seconds');
    const oldest = () => samples('ponte_screening_finding_oldest_seconds');
    await eventually(async () => expect(await age()).toEqual([['lists-1', 0]]));
    expect(await oldest()).toEqual([['', 0]]);
    screening.hits = [{ list: 'un', entryId: '1', score: 100, matchedOn: 'ACME' }];
    screening.version = 'lists-2';
    await eventually(async () => expect(await age()).toEqual([['lists-2', 0]]));
    const open = await onboarding.engines.metrics.registry.getSingleMetric('ponte_screening_findings_open')?.get();
    expect(open?.values.map(({ labels, value }) => [labels['status'], value])).toEqual([
      ['open', 1],
      ['matched', 0],
    ]);
    screening.down = true;
    onboarding.advance(40 * HOUR_MS);
    expect([await age(), await oldest()]).toEqual([[['lists-2', 40 * 60]], [['', 40 * 60]]]);
  });

  it('count the cases that cannot be screened, even while the round of the next day is under way', async () => {
    const { screening } = onboarding.vendors;
    const aside = async () =>
      (await onboarding.engines.metrics.registry.getSingleMetric('ponte_screening_cases_aside')?.get())?.values;
    await eventually(async () => expect(await samples('ponte_screening_round_age_seconds')).toEqual([['lists-1', 0]]));
    expect(await aside()).toMatchObject([{ value: 0 }]);
    screening.refusedNames.add('Acme SA');
    screening.version = 'lists-2';
    await eventually(async () => expect(await aside()).toMatchObject([{ value: 1 }]));
    onboarding.advance(24 * HOUR_MS);
    expect(await aside()).toMatchObject([{ value: 1 }]);
    screening.refusedNames.clear();
    await eventually(async () => expect(await aside()).toMatchObject([{ value: 0 }]));
  });

  it('show how long the first round has not been completed', async () => {
    await onboarding.stop();
    const before = await startWithPartner({ environment: 'production' });
    const { folder, vendors } = before.onboarding;
    await before.onboarding.stop(true);
    vendors.screening.down = true;
    onboarding = await OnboardingUnderTest.start({
      ...{ environment: 'production', screenAgainEveryMs: 30, folder, vendors },
    });
    await eventually(async () =>
      expect((await onboarding.events()).map(({ type }) => type)).toContain('ScreeningRoundStarted'),
    );
    onboarding.advance(2 * HOUR_MS);
    await eventually(async () =>
      expect(await samples('ponte_screening_round_age_seconds')).toEqual([['none', 2 * 60]]),
    );
  });
});
