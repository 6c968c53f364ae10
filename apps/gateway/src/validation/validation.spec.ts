import fc from 'fast-check';
import { validateSync } from 'class-validator';
import { compileValidator } from './compiled-validator';
import { ShapeCheck } from './checked';
import { violationsOf } from './violations';
import { address, amount, asset, flag, instant, oneOf, text, uuid, whole } from './field-types';
import { textList } from './list-field-types';
import { Nullable, Optional, OptionalNullable, OptionalObject, Required, RequiredObjects } from './members';

class Branch {
  @Required(text(1, 4, /^\d+$/), 'a branch')
  'branch-number'!: string;

  @Optional(flag, 'whether it is open')
  'is-open'?: boolean;
}

class Sample {
  @Required(asset, 'an asset')
  'source-asset'!: string;

  @Optional(amount, 'an amount')
  'source-amount'?: string;

  @Required(uuid, 'an id')
  'quote-id'!: string;

  @Optional(oneOf(['a', 'b']), 'a choice')
  choice?: string;

  @Nullable(text(1, 5), 'a text or null')
  note!: string | null;

  @OptionalNullable(whole, 'a count')
  count?: number | null;

  @Optional(address, 'a wallet')
  wallet?: string;

  @Optional(instant, 'a time')
  at?: string;

  @Optional(textList(3, ['x', 'y', 'z']), 'some letters')
  letters?: string[];

  @OptionalObject(() => Branch, 'a branch')
  branch?: Branch;

  @RequiredObjects(() => Branch, 'branches')
  branches!: Branch[];
}

const good = {
  'source-asset': 'fiat/brl',
  'source-amount': '12.50',
  'quote-id': '0190f8a0-0000-7000-8000-000000000001',
  choice: 'a',
  note: null,
  wallet: `0x${'ab'.repeat(20)}`,
  at: '2026-01-31T12:00:00Z',
  letters: ['x'],
  branch: { 'branch-number': '12' },
  branches: [{ 'branch-number': '1', 'is-open': true }],
};
const codes = (value: unknown) => violationsOf(Sample, value, 'refuse').map(({ path, code }) => `${path}: ${code}`);

describe('shapes', () => {
  it('accepts what is right, in both ways of looking', () => {
    expect(compileValidator(Sample, 'refuse')(good)).toBe(true);
    expect(violationsOf(Sample, good, 'refuse')).toEqual([]);
  });

  it('reports "all failures at once, in rule order", with a path to each', () => {
    const bad = {
      'source-asset': 'doge',
      'source-amount': 12,
      choice: 1,
      note: 7,
      count: 1.5,
      wallet: '0xZZ',
      at: 'yesterday',
      letters: ['x', 'q', 'r'],
      branch: { 'branch-number': 'ab', extra: 1 },
      branches: [{ 'branch-number': '1' }, { 'is-open': 'yes' }, 3],
      stranger: true,
    };
    expect(codes(bad)).toEqual([
      'source-asset: invalid-enum-value',
      'source-amount: amount-must-be-string',
      'quote-id: missing-field',
      'choice: invalid-type',
      'note: invalid-type',
      'count: invalid-type',
      'wallet: invalid-format',
      'at: invalid-format',
      'letters[1]: invalid-enum-value',
      'letters[2]: invalid-enum-value',
      'branch.branch-number: invalid-format',
      'branches[1].branch-number: missing-field',
      'branches[1].is-open: invalid-type',
      'branches[2]: invalid-type',
      'branch.extra: unknown-field',
      'stranger: unknown-field',
    ]);
  });

  it('repeats the name of a stranger only when it is one that programmers give', () => {
    expect(
      codes({
        ...good,
        'maria@example.com': 1,
        '52998224725': 1,
        snake_case: 1,
        branch: { 'branch-number': '12', 'Maria da Silva': 1 },
      }),
    ).toEqual(['branch.?: unknown-field', '?: unknown-field', '?: unknown-field', 'snake_case: unknown-field']);
  });

  it.each([[null], [undefined], [[]], ['text'], [1], [true]])('wants an object, not %p', (value) => {
    expect(violationsOf(Sample, value, 'refuse')).toEqual([
      { path: '', code: 'invalid-type', message: 'a JSON object is expected' },
    ]);
  });

  it.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', 'then'])(
    'calls a member named %s unknown and does not stumble over it',
    (name) => {
      expect(codes({ ...good, [name]: { name: 'x' } })).toEqual([`${name}: unknown-field`]);
      expect(compileValidator(Sample, 'refuse')({ ...good, [name]: 1 })).toBe(false);
    },
  );

  it('does not take a list where an object is asked for, nor null where a member may only be absent', () => {
    expect(codes({ ...good, branch: [{ 'branch-number': '1' }] })).toEqual(['branch: invalid-type']);
    expect(codes({ ...good, branches: [[], [{ 'branch-number': '1' }], [[]]] })).toEqual([
      'branches[0]: invalid-type',
      'branches[1]: invalid-type',
      'branches[2]: invalid-type',
    ]);
    for (const name of ['choice', 'source-asset', 'quote-id', 'branch', 'branches'])
      expect(codes({ ...good, [name]: null })).toEqual([`${name}: invalid-type`]);
    expect(codes({ ...good, count: null })).toEqual([]);
    for (const none of [{ 'branch-number': '1' }, {}, { stranger: 1 }, '', 'text', 3, null])
      expect([none, codes({ ...good, branches: none })]).toEqual([none, ['branches: invalid-type']]);
  });

  it.each(['0', '0.00', '-1', '+1', '1e3', ' 1', '1 ', '01', '.5', '5.', '1,5', '١', '', '1'.repeat(41), 'NaN'])(
    'refuses the amount %p',
    (value) => {
      expect(codes({ ...good, 'source-amount': value })).toEqual(['source-amount: invalid-format']);
    },
  );

  it('ignores unknown members where configured to, as for queries', () => {
    expect(new ShapeCheck(Sample, 'ignore').violations({ ...good, utm: '1' })).toEqual([]);
  });

  it('reads ids in either case, and leaves what is no id as it is', () => {
    const prepared = (id: unknown) =>
      (new ShapeCheck(Sample, 'refuse').prepare({ ...good, 'quote-id': id }) as Record<string, unknown>)['quote-id'];
    const id = '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01';
    expect([id, id.toUpperCase(), '0190F8A0-5c1e-7B3A-9d2f-3f6a1c0e4b01'].map(prepared)).toEqual([id, id, id]);
    for (const other of ['X'.repeat(36), `{${id.toUpperCase()}}`, id.replaceAll('-', '').toUpperCase(), 7, null])
      expect(prepared(other)).toBe(other);
  });

  it('never puts a value into a message', () => {
    expect(
      JSON.stringify(
        violationsOf(Sample, { ...good, note: 'canary-52998224725', choice: 'canary-52998224725' }, 'refuse'),
      ),
    ).not.toContain('canary');
  });
});

describe('the compiled acceptor', () => {
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

  it('accepts only what class-validator accepts, and everything that has no fault', () => {
    const accept = compileValidator(Sample, 'refuse');
    fc.assert(
      fc.property(fc.oneof(mutated, junk, fc.object()), (value) => {
        const violations = violationsOf(Sample, value, 'refuse');
        expect(accept(value)).toBe(violations.length === 0);
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with class-validator called plainly on an instance', () => {
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
