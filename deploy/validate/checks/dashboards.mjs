// Checks that a dashboard shows the series of one installation: those of the namespace that its reader chooses.
import { check, seen } from './results.mjs';

const PREFIX = 'ponte-dashboard-';

/** The dashboards as the chart renders them. compose.yaml uses the same files: there, the choice is empty. */
export function dashboards(releases) {
  const all = releases
    .get('platform')
    .filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(PREFIX))
    .flatMap(({ data }) => Object.entries(data).map(([file, text]) => [file, JSON.parse(text)]));
  check('the chart renders dashboards', all.length > 0 ? [] : ['it renders none']);
  for (const [file, dashboard] of all) check(`${file} shows one namespace`, faults(dashboard));
  planted(all[0]?.[1]);
}

/** Series of other installations are mixed in if a query does not select them, or if several can be chosen. */
function faults({ templating, panels }) {
  const [variable, ...others] = templating.list.filter(({ name }) => name === 'namespace');
  const isOne = others.length === 0 && variable?.type === 'query' && !variable.multi && !variable.includeAll;
  const reads = /^label_values\(ponte_\w+, ?namespace\)$/.test(variable?.query ?? '');
  return [
    ...(isOne && reads ? [] : ['it has no variable "namespace" with one of the namespaces of the series']),
    ...panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr }) =>
        selectors(expr)
          .filter((one) => !/[{,]namespace="\$namespace"[,}]/.test(one))
          .map((one) => `${title}: ${one} does not select the namespace`),
      ),
    ),
  ];
}

/** The metrics of a query, each with the labels that it selects. */
const selectors = (expr) => expr.match(/\b(?:ponte|nodejs|process)_\w+(?:\{[^}]*\})?/g) ?? [`no metric in ${expr}`];

function planted(dashboard) {
  const without = (change) => {
    const copy = JSON.parse(JSON.stringify(dashboard));
    change(copy);
    return faults(copy).length > 0;
  };
  const each = (change) => (copy) => copy.panels.flatMap(({ targets }) => targets).forEach(change);
  const [mixed, other] = [/namespace="\$namespace",?/, 'namespace="ponte"'];
  seen('a query of every namespace', without(each((one) => void (one.expr = one.expr.replace(mixed, '')))));
  seen('a query of a fixed namespace', without(each((one) => void (one.expr = one.expr.replace(mixed, other)))));
  seen(
    'a dashboard without a namespace to choose',
    without((copy) => void (copy.templating.list = [])),
  );
  seen(
    'a dashboard of all namespaces',
    without((copy) => void (copy.templating.list[0].includeAll = true)),
  );
}
