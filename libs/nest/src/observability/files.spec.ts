import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CATALOGUE } from './catalogue';

const ROOT = join(__dirname, '../../../..');
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Alert { readonly alert: string; readonly expr: string; readonly for: string; readonly labels: { readonly severity: string }; readonly annotations: { readonly summary: string; readonly runbook: string } }
interface Dashboard { readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[] }

const alerts = (parse(text('deploy/observability/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules);
const dashboards = ['overview', 'engines'].map((name) => JSON.parse(text(`deploy/observability/grafana/dashboards/${name}.json`)) as Dashboard);
const queries = [...alerts.map(({ expr }) => expr), ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))];
const operations = text('docs/operations.md');

/** The series that Prometheus has of the catalogue: a histogram is three. */
const SERIES = new Set(Object.entries(CATALOGUE).flatMap(([name, { kind }]) => (kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name])));

test('every query names metrics that the code declares', () => {
  const named = queries.flatMap((query) => query.match(/\bponte_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !SERIES.has(name))).toEqual([]);
});

test('brackets of every query match, and every label that it groups by is one of a metric or of the scrape', () => {
  const labels = new Set([...Object.values(CATALOGUE).flatMap((one) => [...one.labels]), 'le', 'service']);
  for (const query of queries) {
    for (const [open, close] of ['()', '{}', '[]']) expect([query, query.split(open ?? '').length]).toEqual([query, query.split(close ?? '').length]);
    const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((one) => one.trim()));
    expect([query, grouped.filter((label) => !labels.has(label))]).toEqual([query, []]);
  }
});

test('every alert has a severity, a time, a summary, and a runbook that is there; no runbook is of no alert', () => {
  const anchors = new Set([...operations.matchAll(/^### (.+)$/gm)].map(([, anchor]) => anchor));
  for (const { alert, for: time, labels, annotations } of alerts) {
    expect([alert, time]).toEqual([alert, expect.stringMatching(/^\d+m$/)]);
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    const [file, anchor] = annotations.runbook.split('#');
    expect([alert, file, anchors.has(anchor ?? '')]).toEqual([alert, 'docs/operations.md', true]);
  }
  const section = operations.slice(operations.indexOf('## Alerts'), operations.indexOf('## Procedures'));
  expect((section.match(/^### /gm) ?? []).length).toBe(alerts.length);
});

test('docs/operations.md says of every metric what it means', () => {
  expect(Object.entries(CATALOGUE).filter(([name, { help }]) => !operations.includes(`| \`${name}\` |`) || !operations.includes(help)).map(([name]) => name)).toEqual([]);
});
