// Checks the order in which docs/deploy.md upgrades the services.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../helm.mjs';
import { SERVICES } from '../render.mjs';
import { check, seen } from './results.mjs';

const GUIDE = 'docs/deploy.md';
/**
 * Each reads event types that the other begins to publish, so it is upgraded first. Orders, ledger and movements also
 * read events of services that come before them. No order suits all, so a release may need another one.
 */
const READERS = [
  ...['onboarding', 'ledger', 'orders', 'movements'].map((publisher) => ['webhooks', publisher]),
  ['ledger', 'movements'],
  ['orders', 'movements'],
];

export function upgradeOrder() {
  const guide = readFileSync(join(ROOT, GUIDE), 'utf8');
  check(`${GUIDE} upgrades webhooks first, movements after its readers and the gateway last`, orderFaults(guide));
  for (const [before, after] of [
    ['webhooks onboarding', 'onboarding webhooks'],
    ['orders movements', 'movements orders'],
  ])
    seen(
      `an upgrade of ${after.split(' ')[0]} first`,
      orderFaults(guide.replaceAll(`${before} `, `${after} `)).length > 0,
    );
}

function orderFaults(guide) {
  const loops = [...guide.matchAll(/for service in ([a-z ]+); do\n\s*helm upgrade/g)].map(([, names]) =>
    names.split(' '),
  );
  return loops.length === 0
    ? ['no loop of helm upgrade was found']
    : loops.flatMap((names) => [
        ...SERVICES.filter((service) => !names.includes(service)).map((service) => `${service} is missing`),
        ...(names.at(-1) === 'gateway' ? [] : ['the gateway is not the last one']),
        ...READERS.filter(([reader, publisher]) => names.indexOf(reader) > names.indexOf(publisher)).map(
          ([reader, publisher]) => `${publisher} comes before ${reader}`,
        ),
      ]);
}
