// Checks the order in which docs/deploy upgrades the shared objects and the services.
import { SERVICES } from '../render.mjs';
import { GUIDE, guide as readGuide } from './guide.mjs';
import { check, seen } from './results.mjs';

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
  const guide = readGuide();
  check(`${GUIDE} upgrades webhooks first, movements after its readers and the gateway last`, orderFaults(guide));
  check(`${GUIDE} installs and upgrades the shared objects first`, platformFaults(guide));
  for (const text of ['helm upgrade --install ponte-platform', 'Upgrade `ponte-platform`'])
    seen(`a guide without "${text}"`, platformFaults(guide.replace(text, '')).length > 0);
  for (const [before, after] of [
    ['webhooks onboarding', 'onboarding webhooks'],
    ['orders movements', 'movements orders'],
  ])
    seen(
      `an upgrade of ${after.split(' ')[0]} first`,
      orderFaults(guide.replaceAll(`${before} `, `${after} `)).length > 0,
    );
}

/**
 * The shared objects have what new pods need, such as keys of Secrets, so they come first: before the services, and
 * before pods of the new image that operators start.
 */
function platformFaults(guide) {
  const section = (title) => guide.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  return [
    ...faultsIn(section('Installation'), ['helm upgrade --install ponte-platform', 'for service in ']),
    ...faultsIn(section('A new version'), [
      'Upgrade `ponte-platform`',
      'read-models rebuild',
      'loop of `helm upgrade`',
    ]),
  ];
}

/** The texts that do not come after the one before them, or do not exist. */
const faultsIn = (section, texts) =>
  texts
    .filter((text, at) => section.indexOf(text) <= (at === 0 ? -1 : section.indexOf(texts[at - 1])))
    .map((text) => `"${text}" is missing, or comes too early`);

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
