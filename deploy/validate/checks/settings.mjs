// Checks the settings of every service against the code that reads them.
/* global structuredClone */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SERVICES, VALUES } from '../render.mjs';
import { consumedBy, ownSettings, settingFaults, triggerFaults, undeclared, variablesOf } from '../settings.mjs';
import { check, seen } from './results.mjs';

const values = (name) => parse(readFileSync(join(VALUES, `${name}.yaml`), 'utf8'));
/** The names that the values of a service leave to their defaults. */
export const leftToDefault = (service) => ({
  common: values('common').leftToDefault?.common ?? [],
  own: values(service).leftToDefault?.own ?? [],
});

export async function settings(releases) {
  for (const service of SERVICES) {
    const documents = releases.get(service);
    const set = variablesOf(documents);
    check(`${service}: settings match the code`, settingFaults(service, set, leftToDefault(service)));
    check(`${service}: every setting that is read is declared`, undeclared(service));
    check(`${service}: KEDA watches the consumed topics`, await triggerFaults(service, documents));
    const [own] = ownSettings(service);
    if (own !== undefined)
      seen(
        `${service}: a forgotten setting`,
        settingFaults(service, new Set([...set].filter((name) => name !== own)), {
          ...leftToDefault(service),
          own: leftToDefault(service).own.filter((name) => name !== own),
        }).length > settingFaults(service, set, leftToDefault(service)).length,
      );
  }
  seen(
    'a setting that no code reads',
    settingFaults(
      'orders',
      new Set([...variablesOf(releases.get('orders')), 'ORDERS_BRCODE_SECOND']),
      leftToDefault('orders'),
    ).some((fault) => fault.startsWith('ORDERS_BRCODE_SECOND ')),
  );
  const blind = structuredClone(releases.get('orders'));
  blind.find(({ kind }) => kind === 'ScaledObject').spec.triggers.pop();
  seen(
    'a topic that KEDA does not watch',
    (await triggerFaults('orders', blind)).length > 0 && consumedBy('orders').size > 1,
  );
  check(
    'a shared setting has one value',
    sharedFaults(new Map(SERVICES.map((service) => [service, releases.get(service)]))),
  );
  const apart = structuredClone(releases);
  apart.get('onboarding').find(({ kind }) => kind === 'ConfigMap').data.PONTE_LIVENESS_PROVIDERS = 'another';
  seen(
    'two values of one setting',
    sharedFaults(new Map([...apart].filter(([name]) => name !== 'platform'))).length > 0,
  );
}

function sharedFaults(releases) {
  const byName = new Map();
  for (const [service, documents] of releases) {
    const { data } = documents.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === `ponte-${service}`,
    );
    for (const [name, value] of Object.entries(data)) byName.set(name, new Set([...(byName.get(name) ?? []), value]));
  }
  return [...byName].filter(([, all]) => all.size > 1).map(([name]) => `${name} has ${byName.get(name).size} values`);
}
