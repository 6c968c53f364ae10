import { prefersDryRun } from './request-checks';

describe('the preference for a dry run', () => {
  it.each<[string | undefined, boolean]>([
    ['dry-run', true],
    ['Dry-Run', true],
    ['respond-async, dry-run', true],
    ['dry-run=""', true],
    ['dry-run; reason=test', true],
    [' dry-run ', true],
    [undefined, false],
    ['', false],
    ['dry-run=false', false],
    ['no-dry-run', false],
    ['dry-runs', false],
    ['note="a, dry-run"', false],
    ['note="a\\", dry-run"', false],
  ])('%s: %s', (prefer, expected) => {
    expect(prefersDryRun({ prefer } as never)).toBe(expected);
  });
});
