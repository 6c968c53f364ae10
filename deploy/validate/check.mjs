// Checks everything in deploy/ that needs no cluster and no container engine: node deploy/validate/check.mjs
// Each rule is tested with a planted mistake. The last line is `N passed, N failed`.
import { relative } from 'node:path';
import { alerts } from './checks/alerts.mjs';
import { compose, dockerfile, packages } from './checks/build.mjs';
import { chart } from './checks/chart.mjs';
import { dashboards } from './checks/dashboards.mjs';
import { examples } from './checks/examples.mjs';
import { ingresses } from './checks/ingresses.mjs';
import { manifests, shapes } from './checks/manifests.mjs';
import { operators } from './checks/operators.mjs';
import { check, report, seen } from './checks/results.mjs';
import { settings } from './checks/settings.mjs';
import { upgradeOrder } from './checks/upgrade-order.mjs';
import { ROOT } from './helm.mjs';
import { differences, RELEASES, render, renderAll } from './render.mjs';

async function main() {
  const rendered = renderAll();
  check(
    'deploy/rendered matches the chart (node deploy/validate/render.mjs writes it)',
    differences(rendered).map((file) => relative(ROOT, file)),
  );
  seen(
    'a rendered file that was edited',
    differences(new Map([...rendered].map(([file, text]) => [file, `${text}# edited\n`]))).length === rendered.size,
  );
  const releases = new Map(RELEASES.map((name) => [name, render(name)]));
  manifests(releases);
  await shapes(releases);
  chart(releases);
  ingresses();
  await operators(releases);
  await settings(releases);
  await examples(releases);
  upgradeOrder();
  compose();
  dockerfile();
  await packages();
  alerts(releases);
  dashboards(releases);
}

await main().catch((error) => check('the check itself', [error.stack ?? error]));
report();
