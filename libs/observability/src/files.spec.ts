import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CATALOGUE } from './catalogue/catalogue';

const ROOT = join(__dirname, '../../..');
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const alerts = (parse(text('deploy/observability/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const dashboards = ['overview', 'engines'].map(
  (name) => JSON.parse(text(`deploy/observability/grafana/dashboards/${name}.json`)) as Dashboard,
);
const queries = [
  ...alerts.map(({ expr }) => expr),
  ...dashboards
    .flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    // The label is from the Prometheus operator; deploy/validate/checks/dashboards.mjs checks that each query has it.
    .map((expr) => expr.replaceAll(/namespace="\$namespace",?/g, '')),
];
const pagesIn = (folder: string): string[] => readdirSync(join(ROOT, folder)).map((page) => `${folder}/${page}`);
const pages = pagesIn('docs/operations');
const operations = ['docs/operations.md', ...pages].map(text).join('\n');
/** Each section of a page about alerts: its page and anchor, and its text. */
const runbooks = new Map(
  pages
    .filter((page) => page.includes('/alerts-'))
    .flatMap((page) =>
      text(page)
        .split(/^## /m)
        .slice(1)
        .map((section): [string, string] => [`${page}#${section.slice(0, section.indexOf('\n'))}`, section]),
    ),
);

/** Used only by `npm run cluster`, which is not a process of an installation. */
const OF_TOOLS = new Set(['PONTE_REPLICAS']);

/** The series of the catalogue in Prometheus: a histogram has three. */
const SERIES = new Set(
  Object.entries(CATALOGUE).flatMap(([name, { kind }]) =>
    kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
  ),
);

test('every query names metrics that the code declares', () => {
  const named = queries.flatMap((query) => query.match(/\bponte_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !SERIES.has(name))).toEqual([]);
});

/** The labels that a query groups by. */
const groupsOf = (query: string): string[] =>
  [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((one) => one.trim()));
/** The labels of the metrics in a query, and those that the scrape adds. */
const labelsOf = (query: string): Set<string> =>
  new Set([
    ...Object.entries(CATALOGUE)
      .filter(([name]) => new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(query))
      .flatMap(([, { labels }]) => [...labels]),
    'le',
    'service',
  ]);

test('the brackets of every query match, and every label that it groups or selects by belongs to its metrics or the scrape', () => {
  for (const query of queries) {
    for (const [open, close] of ['()', '{}', '[]'])
      expect([query, query.split(open ?? '').length]).toEqual([query, query.split(close ?? '').length]);
    const chosen = [...query.matchAll(/[{,](\w+)(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label);
    expect([query, [...groupsOf(query), ...chosen].filter((label) => !labelsOf(query).has(label))]).toEqual([
      query,
      [],
    ]);
  }
  const planted = 'sum by (asset) (rate(ponte_gateway_requests_total{pattern="x"}[5m]))';
  expect([groupsOf(planted).every((label) => labelsOf(planted).has(label)), labelsOf(planted).has('pattern')]).toEqual([
    false,
    false,
  ]);
});

test('metrics that every replica reads from the same tables are not summed', () => {
  const shared = [
    'ponte_orders_open',
    'ponte_ledger_open_holds',
    'ponte_ledger_sum_minor_units',
    'ponte_settlement_minor_units',
    'ponte_chain_pending_transactions',
    'ponte_operator_pending_transactions',
    'ponte_operator_unfinal_transactions',
    'ponte_parked_events',
    'ponte_parked_streams',
    'ponte_parked_oldest_seconds',
    'ponte_webhook_oldest_due_seconds',
  ];
  expect(
    queries.filter((query) =>
      shared.some((name) => new RegExp(`\\bsum\\s*(by \\([^)]*\\) *)?\\(${name}\\b`).test(query)),
    ),
  ).toEqual([]);
});

test('a summary names only labels that its alert has', () => {
  for (const { alert, expr, annotations } of alerts) {
    const named = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    // A query without grouping has all labels of its metric; `absent` has those that it selects by.
    const has = groupsOf(expr).length > 0 ? new Set(groupsOf(expr)) : labelsOf(expr);
    expect([alert, named.filter((label) => !has.has(label))]).toEqual([alert, []]);
  }
});

/** Settings, without verbs, that runbooks and the installation guide name. */
test('every variable and every metric named in docs/operations, docs/deploy and their indexes exists', () => {
  const documents = [operations, ...['docs/deploy.md', ...pagesIn('docs/deploy')].map(text)].join('\n');
  const declared = new Set(
    text('docs/configuration.md')
      .match(/^\| `[A-Z][A-Z0-9_<>]+`/gm)
      ?.map((one) => one.slice(3, -1)),
  );
  const isDeclared = (name: string): boolean =>
    declared.has(name) ||
    [...declared].some((one) => one.endsWith('<CHAIN>') && name.startsWith(one.slice(0, -'<CHAIN>'.length)));
  const variables = [
    ...documents.matchAll(
      /`((?:PONTE|KAFKA|ESDB|DATABASE|OTEL|STAFF|LEDGER|ORDERS|MOVEMENTS|ONBOARDING|SCREENING|LIVENESS|BLOBS|CHAIN|KEYSTORE|MANAGEMENT|VENDOR)_[A-Z0-9_]+)[`=]/g,
    ),
  ].map(([, name = '']) => name);
  expect(variables.length).toBeGreaterThan(20);
  expect([...new Set(variables)].filter((name) => !isDeclared(name) && !OF_TOOLS.has(name))).toEqual([]);
  expect(
    [...new Set(documents.match(/\bponte_[a-z_]+_[a-z_]+\b/g))].filter(
      (name) => !(name in CATALOGUE) && !SERIES.has(name) && !/^ponte_(<|keys|\w+_rebuild)/.test(name),
    ),
  ).toEqual([]);
});

test('every log line quoted in a runbook is written by the code', () => {
  const quoted = [...[...runbooks.values()].join('\n').matchAll(/"([a-z][^"]{12,})"/g)].map(([, line = '']) =>
    line.replace(/\s+/g, ' '),
  );
  const code = ['apps', 'libs']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\/src\/.*(?<!\.spec)\.ts$/.test(file))
        .map((file) => text(join(folder, file))),
    )
    .join('\n');
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((line) => !code.includes(line))).toEqual([]);
});

test('every alert has a severity, a duration, a summary and an existing runbook, and every runbook has an alert', () => {
  for (const { alert, for: time, labels, annotations } of alerts) {
    expect([alert, time]).toEqual([alert, expect.stringMatching(/^\d+m$/)]);
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
  }
  expect(alerts.map(({ annotations }) => annotations.runbook_url).sort()).toEqual([...runbooks.keys()].sort());
});

test('every runbook names its alert and says what it means, how to check and what to do, and the index links to it', () => {
  const index = text('docs/operations.md');
  for (const { alert, annotations } of alerts) {
    const section = runbooks.get(annotations.runbook_url) ?? '';
    const parts = [`\`${alert}\`, `, '**Meaning:**', '**Check:**', '**Action:**'];
    expect([alert, parts.filter((part) => !section.includes(part))]).toEqual([alert, []]);
    expect(index).toContain(`](${annotations.runbook_url.slice('docs/'.length)})`);
  }
});

test('docs/operations describes every metric', () => {
  expect(
    Object.entries(CATALOGUE)
      .filter(([name, { help }]) => !operations.includes(`| \`${name}\` |`) || !operations.includes(help))
      .map(([name]) => name),
  ).toEqual([]);
});
