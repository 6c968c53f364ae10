import { findingsIn, RULES } from './rules.cjs';

const repository = {
  exists: (target: string) => target === 'docs/README.md',
  hasFile: (name: string) => name === 'order.decider.ts',
  linesOf: (target: string) =>
    target === 'docs/README.md' ? ['# Top', '## A `key`, twice', '## A key twice'] : undefined,
};
const rulesOf = (file: string, text: string) => findingsIn(file, text, repository).map(({ rule }) => rule);

/** One violation of each rule and its correction. */
const PLANTED: Record<string, { file: string; bad: string; good: string }> = {
  'banned-words': {
    file: 'apps/orders/src/orders.module.ts',
    bad: `// ${['who', 'ever'].join('')} calls this waits`,
    good: '// The caller waits.',
  },
  'long-lines': {
    file: 'libs/kernel/src/money/money.ts',
    bad: `const a = ${'1 + '.repeat(40)}1;`,
    good: 'const a = 1;',
  },
  'two-doc-comments': {
    file: 'libs/kernel/src/money/money.ts',
    bad: '/** One. */\n/** Two. */\nconst a = 1;',
    good: '/** One. */\nconst a = 1;',
  },
  'file-role': { file: 'apps/orders/src/order/order.manager.ts', bad: 'export {};', good: '' },
  'hyphenated-role': { file: 'apps/orders/src/order/order-metrics.ts', bad: 'export {};', good: '' },
  'folder-name': { file: 'apps/orders/src/ports/bank.port.ts', bad: 'export {};', good: '' },
  'missing-role': {
    file: 'apps/orders/src/order/place-order.ts',
    bad: '@CommandHandler(PlaceOrderCommand)\nexport class PlaceOrderHandler {}',
    good: 'export class PlaceOrder {}',
  },
  'adapter-name': {
    file: 'apps/ledger/src/payouts/adapters/http.ts',
    bad: "import type { Payout, Payouts } from '../payouts.port';\nexport class HttpPayouts implements Payouts {}",
    good: "import type { Payout } from '../payouts.port';\nexport class PayoutCall {}",
  },
  'adr-title': { file: 'docs/adr/0007-x.md', bad: '# ADR 7: a title.', good: '# 7. Use anvil on every platform' },
  'adr-form': {
    file: 'docs/adr/0007-x.md',
    bad: '# 7. Use anvil\n\n## Context\n\n## Decision',
    good: '**Status:** accepted.\n## Context\n## Decision\n## Enforcement\n## Alternatives\n## Consequences',
  },
  'dead-links': {
    file: 'docs/operations.md',
    bad: 'See [the map](missing.md).',
    good: 'See [the map](README.md#top) and [the site](https://example.com).',
  },
  'dead-anchors': {
    file: 'docs/operations.md',
    bad: 'See [the map](README.md#bottom).',
    good: '## Parked events\nSee [parked](#parked-events), [one](README.md#a-key-twice) and [two](README.md#a-key-twice-1).',
  },
  'dead-files': {
    file: 'docs/architecture.md',
    bad: 'See `order.ts`.',
    good: 'See `order.decider.ts`, and `place-<name>.ts`.',
  },
  'section-references': { file: 'docs/operations.md', bad: `See contract ${'\u00a7'}7.`, good: 'See the states page.' },
  'let-test': {
    file: 'apps/orders/src/order.spec.ts',
    bad: ['let', 'test: Rig;'].join(' '),
    good: 'let orders: Orders;',
  },
  'tests-at-import': {
    file: 'apps/orders/src/testing/orders-under-test.ts',
    bad: 'beforeEach(() => start());',
    good: 'export const useOrders = () => beforeEach(() => start());',
  },
};

describe('the tidy check', () => {
  it('has a planted violation for every rule', () => {
    expect(Object.keys(PLANTED).sort()).toEqual([...RULES].sort());
  });

  it.each(Object.entries(PLANTED))(
    'finds a violation of %s and accepts the corrected text',
    (rule, { file, bad, good }) => {
      expect(rulesOf(file, bad)).toContain(rule);
      const isOfName = ['file-role', 'hyphenated-role', 'folder-name'].includes(rule);
      if (!isOfName) expect(rulesOf(file, good)).not.toContain(rule);
    },
  );

  it('accepts the folder of a feature with adapters', () => {
    expect(rulesOf('apps/orders/src/order/order.domain.ts', 'export {};')).toEqual([]);
    expect(rulesOf('apps/movements/src/chain/adapters/abi.ts', 'export {};')).toEqual([]);
    expect(rulesOf('apps/movements/src/adapters/abi.ts', 'export {};')).toEqual(['folder-name']);
  });

  it.each([
    ['rebuild the views', 'rebuild the read models'],
    ['the sweeper releases it', 'the sweep releases it'],
    ['`ReplySweeper` deletes it', '`ReplyTopicCleanup` deletes it'],
    ['every kind of event', 'every event type'],
    ['a poison message', 'a parked event'],
  ])('finds the former term in "%s"', (former, term) => {
    expect(rulesOf('docs/operations.md', `${former}.`)).toEqual(['banned-words']);
    expect(rulesOf('docs/operations.md', `${term}.`)).toEqual([]);
  });

  it.each([
    ['docs/operations.md', `the job is carried\nout`],
    ['docs/operations.md', `- the job is carried\n  out`],
    ['libs/kernel/src/money/money.ts', `/**\n * is carried\n * out\n */`],
    ['libs/kernel/src/money/money.ts', `// is carried\n// out`],
    ['deploy/values/common.yaml', `# is carried\n# out`],
  ])('finds a phrase of %s that ends in the next line, once', (file, text) => {
    expect(findingsIn(file, text, repository)).toEqual([
      expect.objectContaining({
        rule: 'banned-words',
        line: text.split('\n').findIndex((line) => /carried/.test(line)) + 1,
      }),
    ]);
    expect(rulesOf(file, text.replace(/(carried)\n/, '$1\n\n'))).toEqual([]);
  });

  it.each([
    ['another version than before', 'a different version from before'],
    ['reported, also after a restart', 'reported, even after a restart'],
  ])('finds "%s" in documents and code', (translated, native) => {
    for (const [file, mark] of [
      ['docs/operations.md', ''],
      ['libs/kernel/src/money/money.ts', '// '],
    ] as const) {
      expect(rulesOf(file, `${mark}${translated}.`)).toEqual(['banned-words']);
      expect(rulesOf(file, `${mark}${native}.`)).toEqual([]);
    }
  });

  it('accepts two words of different paragraphs that together would be a banned phrase', () => {
    expect(rulesOf('docs/operations.md', 'Work is carried\n\nout later.')).toEqual([]);
  });

  it('accepts a long line only if it cannot be wrapped', () => {
    const longRegex = `/${'a|'.repeat(60)}b/i`;
    expect(rulesOf('libs/kernel/src/money/money.ts', `const A =\n  ${longRegex};`)).toEqual([]);
    expect(rulesOf('libs/kernel/src/money/money.ts', `const A = f(1, ${longRegex}, 2);`)).toEqual(['long-lines']);
    expect(rulesOf('libs/kernel/src/money/money.ts', `/** ${'word '.repeat(30)}*/`)).toEqual(['long-lines']);
  });

  it('reports the line of a finding', () => {
    const [found] = findingsIn('docs/operations.md', 'fine\nSee [x](missing.md)', repository);
    expect(found).toMatchObject({ file: 'docs/operations.md', line: 2, rule: 'dead-links' });
  });

  it('finds a link to a heading that the same document does not have', () => {
    expect(rulesOf('docs/operations.md', '## Parked\n```\n## Events\n```\nsee [x](#events)')).toEqual(['dead-anchors']);
  });

  it('finds a file of tests that another file imports', () => {
    const file = 'apps/orders/src/order/order.spec.ts';
    expect(rulesOf(file, "import { ORDER } from './orders.spec';")).toEqual(['tests-at-import']);
    expect(rulesOf(file, "import { ORDER } from './order.examples';")).toEqual([]);
  });

  it('ignores code blocks of documents', () => {
    expect(rulesOf('docs/operations.md', '```\nsee [x](missing.md)\n```')).toEqual([]);
  });
});
