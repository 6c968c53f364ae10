import { dryRunOf } from './request-checks';

describe('the preference for a dry run', () => {
  it.each<[string | undefined, 'yes' | 'no' | 'with-value']>([
    ['dry-run', 'yes'],
    ['Dry-Run', 'yes'],
    ['respond-async, dry-run', 'yes'],
    ['dry-run=""', 'yes'],
    ['dry-run; reason=test', 'yes'],
    [' dry-run ', 'yes'],
    [undefined, 'no'],
    ['', 'no'],
    ['dry-run=true', 'with-value'],
    ['dry-run="1"', 'with-value'],
    ['dry-run = false; reason=test', 'with-value'],
    ['dry-run, dry-run=true', 'with-value'],
    ['no-dry-run', 'no'],
    ['dry-runs', 'no'],
    ['note="a, dry-run"', 'no'],
    ['note="a\\", dry-run"', 'no'],
    ['note="a, dry-run', 'yes'],
    ['note="a\\", dry-run', 'yes'],
    ['note="a\\", dry-run, other\\', 'yes'],
  ])('%s: %s', (prefer, expected) => {
    expect(dryRunOf({ prefer } as never)).toBe(expected);
  });

  it('is found quickly whatever the quotes of a header are', () => {
    // Milliseconds, where a search that starts again at every quote takes minutes.
    const begun = performance.now();
    expect(dryRunOf({ prefer: `dry-run, note=${'\\"'.repeat(300_000)}` } as never)).toBe('yes');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
