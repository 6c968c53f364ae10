import fc from 'fast-check';
import { validateSync } from 'class-validator';
import { compileValidator } from './shape-check';
import { violationsOf } from './violations';
import { Branch, Sample, good } from './testing/sample';

describe('the compiled validator', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      undefined,
      0,
      1,
      1.5,
      NaN,
      true,
      '',
      'a',
      'x',
      'fiat/brl',
      '12.50',
      '0',
      [],
      ['x'],
      ['x', 'x'],
      ['q'],
      {},
      [{}],
    ),
    fc.string(),
    fc.integer(),
    fc.jsonValue(),
    fc.constant({ 'branch-number': '12' }),
    fc.constant([{ 'branch-number': '12' }]),
  );
  const mutated = fc
    .tuple(fc.constantFrom(...Object.keys(good), 'count', 'stranger', 'constructor'), junk, fc.boolean())
    .map(([name, value, remove]) => {
      const copy: Record<string, unknown> = { ...good, [name]: value };
      if (remove) delete copy[name];
      return copy;
    });

  it('accepts only what class-validator accepts, and every value without a violation', () => {
    const accept = compileValidator(Sample, 'refuse');
    fc.assert(
      fc.property(fc.oneof(mutated, junk, fc.object()), (value) => {
        const violations = violationsOf(Sample, value, 'refuse');
        expect(accept(value)).toBe(violations.length === 0);
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with class-validator called directly on an instance', () => {
    const accept = compileValidator(Sample, 'refuse');
    fc.assert(
      fc.property(mutated, (value) => {
        if (!accept(value)) return;
        const instance = Object.assign(new Sample(), value, {
          branch: value['branch'] && Object.assign(new Branch(), value['branch']),
          branches: (value['branches'] as object[]).map((one) => Object.assign(new Branch(), one)),
        });
        expect(validateSync(instance, { whitelist: true, forbidNonWhitelisted: true })).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
