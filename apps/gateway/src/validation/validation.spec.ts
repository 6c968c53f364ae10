import { text } from './field-types';
import { OptionalObjects, Required } from './fields';
import { compileValidator, ShapeCheck } from './shape-check';
import { violationsOf } from './violations';
import { Branch, Sample, good } from './testing/sample';

const codes = (value: unknown) => violationsOf(Sample, value, 'refuse').map(({ path, code }) => `${path}: ${code}`);

describe('validation by a shape', () => {
  it('accepts a valid value, compiled and by class-validator', () => {
    expect(compileValidator(Sample, 'refuse')(good)).toBe(true);
    expect(violationsOf(Sample, good, 'refuse')).toEqual([]);
  });

  it('reports all violations in rule order, with the path of each', () => {
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

  it('does not compare a text that is too long with its pattern, which could take seconds', () => {
    const pattern = /^[^!]*[a-z][^!]*$/;
    const compared = jest.spyOn(pattern, 'test');
    class Named {
      @Required(text(1, 80, pattern), 'a name')
      name!: string;
    }
    expect(violationsOf(Named, { name: `${'a'.repeat(60_000)}!` }, 'refuse')).toEqual([
      { path: 'name', code: 'invalid-format', message: 'must have 1 to 80 characters' },
    ]);
    expect(compared).not.toHaveBeenCalled();
    const bad = [{ path: 'name', code: 'invalid-format', message: expect.stringContaining('pattern') as string }];
    for (const name of ['a!', `${'😀'.repeat(60)}!`]) expect(violationsOf(Named, { name }, 'refuse')).toEqual(bad);
  });

  it.each(['0x12', `0x${'ab'.repeat(21)}`, `0x${'zz'.repeat(20)}`, ''])(
    'says how an address is written, for %p',
    (wallet) => {
      expect(violationsOf(Sample, { ...good, wallet }, 'refuse')).toEqual([
        { path: 'wallet', code: 'invalid-format', message: 'must be 0x and 40 hexadecimal digits' },
      ]);
    },
  );

  it.each(['0100.00', '+1', '1e2', '-1', '.5', '1.', '0'])('says how an amount is written, for %p', (text) => {
    expect(violationsOf(Sample, { ...good, 'source-amount': text }, 'refuse')).toEqual([
      {
        path: 'source-amount',
        code: 'invalid-format',
        message: 'must be a positive decimal such as 12.50, without a sign, an exponent or leading zeros',
      },
    ]);
  });

  it('repeats the name of an unknown field only if it looks like an identifier', () => {
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

  it.each([[null], [undefined], [[]], ['text'], [1], [true]])('requires an object, not %p', (value) => {
    expect(violationsOf(Sample, value, 'refuse')).toEqual([
      { path: '', code: 'invalid-type', message: 'must be a JSON object' },
    ]);
  });

  it.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', 'then'])(
    'reports a field named %s as unknown and works correctly otherwise',
    (name) => {
      expect(codes({ ...good, [name]: { name: 'x' } })).toEqual([`${name}: unknown-field`]);
      expect(compileValidator(Sample, 'refuse')({ ...good, [name]: 1 })).toBe(false);
    },
  );

  it('refuses a list in place of an object, and null for a field that may only be absent', () => {
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

  it('says of a list that it must be a list, and of its elements that they must be objects', () => {
    const messages = (branches: unknown) =>
      violationsOf(Sample, { ...good, branches }, 'refuse').map(({ path, message }) => `${path} ${message}`);
    for (const none of [{ 'branch-number': '1' }, {}, '', 3])
      expect(messages(none)).toEqual(['branches must be a list']);
    expect(messages([5, [], null])).toEqual([0, 1, 2].map((at) => `branches[${at}] must be an object`));
  });

  it('refuses a list that is too long with one violation, and does not read its elements', () => {
    class Bank {
      @OptionalObjects(() => Branch, 'branches', { max: 2 })
      branches?: Branch[];
    }
    const unread = Object.defineProperty({}, 'branch-number', {
      enumerable: true,
      get: () => {
        throw new Error('was read');
      },
    });
    const tooLong = { path: 'branches', code: 'invalid-format', message: 'must have at most 2 elements' };
    const check = new ShapeCheck(Bank, 'refuse');
    expect(check.violations({ branches: [unread, unread, unread] })).toEqual([tooLong]);
    expect(check.violations({ branches: [{}, 5] }).map(({ path }) => path)).toEqual([
      'branches[0].branch-number',
      'branches[1]',
    ]);
  });

  it.each(['0', '0.00', '-1', '+1', '1e3', ' 1', '1 ', '01', '.5', '5.', '1,5', '١', '', '1'.repeat(41), 'NaN'])(
    'refuses the amount %p',
    (value) => {
      expect(codes({ ...good, 'source-amount': value })).toEqual(['source-amount: invalid-format']);
    },
  );

  it('ignores unknown fields if configured to, as for queries', () => {
    expect(new ShapeCheck(Sample, 'ignore').violations({ ...good, utm: '1' })).toEqual([]);
  });

  it('accepts ids in either case, and leaves other values unchanged', () => {
    const prepared = (id: unknown) =>
      (new ShapeCheck(Sample, 'refuse').prepare({ ...good, 'quote-id': id }) as Record<string, unknown>)['quote-id'];
    const id = '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01';
    expect([id, id.toUpperCase(), '0190F8A0-5c1e-7B3A-9d2f-3f6a1c0e4b01'].map(prepared)).toEqual([id, id, id]);
    const branch = (ownerId: string) => ({ 'branch-number': '1', 'owner-id': ownerId });
    const whole = (ownerId: string) => ({ ...good, branch: branch(ownerId), branches: [branch(ownerId)] });
    expect(new ShapeCheck(Sample, 'refuse').prepare(whole(id.toUpperCase()))).toEqual(whole(id));
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
