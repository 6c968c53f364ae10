import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportLogFaults } from '@ponte/nest';
import { KafkaCounts, observability, relayCounts, startManagement } from '@ponte/observability';
import { eventually, temporaryFolder } from '@ponte/testing';
import { parse } from 'yaml';
import { startCluster } from './cluster';

const text = (file: string): string => readFileSync(join(__dirname, '../../../deploy/observability', file), 'utf8');
interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}
const queries = [
  ...(parse(text('alerts.yaml')) as Alerts).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ...['overview', 'engines'].flatMap((name) =>
    (JSON.parse(text(`grafana/dashboards/${name}.json`)) as Dashboard).panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr),
    ),
  ),
];

interface Selector {
  readonly name: string;
  readonly matchers: readonly (readonly [string, string, string])[];
}
/**
 * The metrics of ours that a query selects, with its label matchers except `service` and `namespace`, which the
 * scrape adds.
 */
const selectorsOf = (query: string): Selector[] =>
  [...query.matchAll(/\b(ponte_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', list = '']) => ({
    name,
    matchers: [...list.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)]
      .map(([, label = '', how = '', value = '']) => [label, how, value] as const)
      .filter(([label]) => label !== 'service' && label !== 'namespace'),
  }));

const isMatched = (
  labels: ReadonlyMap<string, string>,
  [label, how, value]: readonly [string, string, string],
): boolean => {
  const has = labels.get(label) ?? '';
  const equal = how.endsWith('~') ? new RegExp(`^(?:${value})$`).test(has) : has === value;
  return how.startsWith('!') ? !equal : equal;
};

/** The series of a scrape: names and labels. */
const seriesIn = (scrape: string): [string, ReadonlyMap<string, string>][] =>
  [...scrape.matchAll(/^(ponte_\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', list = '']) => [
    name,
    new Map([...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value])),
  ]);

/** Selects the series of former operator keys, which exist only while keys are replaced. */
const isOfFormerKeys = ({ matchers }: Selector): boolean =>
  matchers.some(([label, how, value]) => label === 'operator' && how === '=~' && value === 'former/.*');

const missing = (scrape: string): string[] => {
  const series = seriesIn(scrape);
  const exists = ({ name, matchers }: Selector): boolean =>
    series.some(([has, labels]) => has === name && matchers.every((one) => isMatched(labels, one)));
  return queries.filter((query) => !selectorsOf(query).every((one) => isOfFormerKeys(one) || exists(one)));
};

/**
 * Series that the embedded cluster does not have, because it has no external rate feeds, certificates, nodes of a chain
 * and files with sanctions lists.
 */
const EXTERNAL =
  /ponte_(rate_(age|read_age|source|unchanged)|certificate_expires|node_(broadcasts|head_age)|screening_list_age)/;

test('every series that an alert or a dashboard queries exists from the start', async () => {
  process.env['MOVEMENTS_CHAINS'] = 'simulated';
  const folder = temporaryFolder();
  const observed = observability();
  const cluster = await startCluster(
    {
      environment: 'sandbox',
      dataDirectory: folder.path,
      port: 0,
      logLevel: 'fatal',
      embeddedByName: true,
      failpoint: null,
    },
    { observability: observed },
  );
  const management = await startManagement({ port: 0, host: '127.0.0.1', ...observed });
  try {
    // Adds what only a process of a cluster has: consumers and a relay.
    const kafka = new KafkaCounts(observed.metrics);
    kafka.assigned('ledger', { 'orders.events': [0] });
    relayCounts(
      observed.metrics,
      () => Date.now(),
      () => false,
    );
    reportLogFaults({ faults: () => [] }, observed);
    const relay = cluster.engines.store.subscribe({ categories: ['order'], reader: 'relay-orders' });
    void relay[Symbol.asyncIterator]().next();
    const at = (path: string): Promise<string> =>
      fetch(`http://127.0.0.1:${management.port}${path}`).then((answer) => answer.text());
    // The series of a reader appear once it has started.
    await eventually(async () =>
      expect(missing(await at('/metrics')).filter((query) => !EXTERNAL.test(query))).toEqual([]),
    );
    expect(queries.length).toBeGreaterThan(50);
    expect(missing('')).toEqual(queries.filter((query) => query.includes('ponte_')));
    expect(JSON.parse(await at('/staff/openapi.json'))).toMatchObject({ openapi: '3.1.0' });
    await relay.close();
  } finally {
    delete process.env['MOVEMENTS_CHAINS'];
    await cluster.stop();
    await management.close();
    folder.remove();
  }
});
