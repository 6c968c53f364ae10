// Runs the alert rules against recorded series, with Prometheus' own promtool.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from '../helm.mjs';
import { promtool } from '../promtool.mjs';
import { check, seen } from './results.mjs';

const OBSERVABILITY = join(ROOT, 'deploy/observability');
const RULES = join(OBSERVABILITY, 'alerts.yaml');
const CASES = join(OBSERVABILITY, 'alert-tests');

/**
 * Each case is one check. Every alert needs a case in which it fires and one in which it stays silent. The cases run
 * with the rules as they are, which compose.yaml uses, and with those that the chart renders for a namespace.
 */
export function alerts(releases) {
  const rules = rulesIn(parse(readFileSync(RULES, 'utf8')));
  const cases = readdirSync(CASES).flatMap((file) =>
    // Without types, because YAML takes `0x5` for a number.
    Object.entries(parse(readFileSync(join(CASES, file), 'utf8'), { schema: 'failsafe' })).flatMap(([alert, all]) =>
      all.map((one) => ({ alert, rule: rules.get(alert), ...one })),
    ),
  );
  check('every case is about an alert, and every alert has a case in which it fires and one in which it does not', [
    ...cases.filter(({ rule }) => rule === undefined).map(({ alert }) => `${alert} is not an alert`),
    ...[...rules.keys()].flatMap((alert) =>
      [true, false]
        .filter((fires) => !cases.some((one) => one.alert === alert && (one.fires !== undefined) === fires))
        .map((fires) => `${alert} has no case in which it ${fires ? 'fires' : 'stays silent'}`),
    ),
  ]);
  const known = cases.filter(({ rule }) => rule !== undefined);
  const alone = known.filter(({ elsewhere }) => elsewhere === undefined);
  checkAll(alone);
  planted(alone);
  const rendered = rulesIn(releases.get('platform').find(({ kind }) => kind === 'PrometheusRule').spec);
  const inNamespace = known.map((one) => inNamespaceOf(one, rendered.get(one.alert)));
  checkAll([
    ...inNamespace.map((one) => ({ ...one, title: `${one.title} (its namespace)` })),
    // An alert about series that are missing fires here, rightly.
    ...known
      .filter(({ fires, rule }) => fires && !rule.expr.includes('absent('))
      .map((one) => ({
        ...inNamespaceOf({ ...one, when: {}, elsewhere: one.when, fires: undefined }, rendered.get(one.alert)),
        title: 'is silent about another installation',
      })),
  ]);
  const mixed = inNamespace.filter(({ elsewhere }) => elsewhere !== undefined);
  for (const one of mixed)
    seen(`a rule without a namespace: ${one.alert} ${one.title}`, faults([{ ...one, rule: labelled(one) }]).length > 0);
}

const rulesIn = ({ groups }) => new Map(groups.flatMap(({ rules }) => rules).map((rule) => [rule.alert, rule]));

/** One run for all is ten times as fast. Single runs say which case fails. */
function checkAll(cases) {
  const allPass = faults(cases).length === 0;
  for (const one of cases) check(`${one.alert} ${one.title}`, allPass ? [] : faults([one]));
}

/** The case as the rendered rule sees it: `when` are series of the release, `elsewhere` those of another namespace. */
function inNamespaceOf({ when, elsewhere, ...one }, rule) {
  const of = (namespace, series = {}) =>
    Object.entries(series).map(([name, values]) => [
      name.includes('{') ? name.replace('{', `{namespace="${namespace}",`) : `${name}{namespace="${namespace}"}`,
      values,
    ]);
  return { ...one, rule, when: Object.fromEntries([...of('ponte', when), ...of('staging', elsewhere)]), elsewhere };
}

/** The rule of a rendered case without its namespace, but with the label of it. */
const labelled = ({ rule }) => ({ ...rule, expr: rule.expr.replaceAll(/namespace="[^"]*",?/g, '') });

function planted(cases) {
  const [fires, silent] = [true, false].map((is) => cases.find((one) => (one.fires !== undefined) === is));
  const noReason = { ...fires, fires: undefined };
  const late = { ...fires.fires, from: Number(fires.fires.from) + 1 };
  seen('an alert that stays silent', faults([{ ...fires, when: silent.when }]).length > 0);
  seen('an alert that fires without a reason', faults([noReason]).length > 0);
  seen('an alert that fires too early', faults([{ ...fires, fires: late }]).length > 0);
}

/**
 * What promtool says about the cases. Each has a file of its own with its rule alone, because promtool evaluates all.
 */
function faults(cases) {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-alerts-'));
  const write = (name, content) => {
    writeFileSync(join(folder, name), stringify(content));
    return join(folder, name);
  };
  try {
    const files = cases.map((one, index) => {
      const rules = write(`rules-${index}.yaml`, { groups: [{ name: one.alert, rules: [one.rule] }] });
      return write(`test-${index}.yaml`, { rule_files: [rules], evaluation_interval: '1m', tests: [testOf(one)] });
    });
    const { status, stdout, stderr } = spawnSync(promtool(), ['test', 'rules', ...files], { encoding: 'utf8' });
    return status === 0
      ? []
      : `${stdout}${stderr}`
          .split('\n')
          .filter((line) => line.trim() !== '')
          .slice(0, 12);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One case in promtool's form, which evaluates the alert at every minute of its series. */
function testOf({ alert, rule, when, fires }) {
  const minutes = Math.max(...Object.values(when).map(lengthOf));
  const isFiring = (minute) =>
    fires !== undefined && minute >= Number(fires.from) && minute <= Number(fires.to ?? minutes);
  return {
    interval: '1m',
    input_series: Object.entries(when).map(([series, values]) => ({ series, values })),
    alert_rule_test: Array.from({ length: minutes + 1 }, (_, minute) => ({
      eval_time: `${minute}m`,
      alertname: alert,
      exp_alerts: isFiring(minute) ? [firing(rule, fires)] : [],
    })),
  };
}

/** The alert as Prometheus sends it. A summary that states a value is part of the case, the others follow from it. */
function firing({ labels: own, annotations }, { labels = {}, summary }) {
  const filled = annotations.summary.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label) => labels[label]);
  return { exp_labels: { ...own, ...labels }, exp_annotations: { ...annotations, summary: summary ?? filled } };
}

/** The last minute that values in promtool's notation cover: `0x5` and `0+1x5` are six samples, `_x5` is five. */
function lengthOf(values) {
  const samples = values
    .split(/\s+/)
    .map((part) => Number(/x(\d+)$/.exec(part)?.[1] ?? 0) + (part.startsWith('_x') ? 0 : 1));
  return samples.reduce((sum, one) => sum + one, 0) - 1;
}
