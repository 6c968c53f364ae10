// Checks everything in deploy/ that needs no cluster and no container engine: node deploy/validate/check.mjs
// Each rule is tested with a planted mistake. The last line is `N passed, N failed`.
/* global structuredClone */
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { COMPOSE_PLANTED, COMPOSE_RULES, readCompose } from './compose.mjs';
import { DOCKERFILE_PLANTED, DOCKERFILE_RULES, readDockerfile, readIgnored } from './dockerfile.mjs';
import { ROOT } from './helm.mjs';
import { OPERATOR_PLANTED, operatorPods, planted, podFaults, walks } from './operator.mjs';
import { outside, PACKAGE_RULES, PACKAGES_PLANTED, readPackage } from './packages.mjs';
import { PLANTED, PLANTED_SHAPES, PLANTED_VALUES } from './planted.mjs';
import { faultsIn, POLICIES } from './policies.mjs';
import { largestBody } from './policies.network.mjs';
import { differences, keyOf, RELEASES, render, renderAll, SERVICES, VALUES } from './render.mjs';
import { keyProblems, schemaProblems } from './schemas.mjs';
import { consumedBy, ownSettings, settingFaults, triggerFaults, undeclared, variablesOf } from './settings.mjs';

let passed = 0;
const failed = [];

/** One check. It passes without faults. */
function check(name, faults) {
  if (faults.length === 0) passed += 1;
  else failed.push(`${name}:\n${faults.map((fault) => `    ${fault}`).join('\n')}`);
}

/** A planted mistake that is not found is a fault. */
const seen = (name, isSeen) => check(`planted: ${name}`, isSeen ? [] : ['was not found']);
const uncovered = (rules, planted) =>
  Object.keys(rules)
    .filter((rule) => !planted.some(([one]) => one === rule))
    .map((rule) => `no mistake is planted for "${rule}"`);
const values = (name) => parse(readFileSync(join(VALUES, `${name}.yaml`), 'utf8'));
const left = (service) => ({
  common: values('common').leftToDefault?.common ?? [],
  own: values(service).leftToDefault?.own ?? [],
});

function manifests(releases) {
  const all = [...releases.values()].flat();
  for (const [name, documents] of releases) {
    const doubled = documents.map(keyOf).filter((key, index, keys) => keys.indexOf(key) !== index);
    check(`${name}: objects are unique`, doubled);
    for (const [policy, violations] of Object.entries(POLICIES))
      check(`${name}: ${policy}`, violations(documents, all));
  }
  check('every policy has a planted mistake', uncovered(POLICIES, PLANTED));
  for (const [policy, release, what, plant] of PLANTED) {
    const copy = structuredClone(releases);
    const everything = [...copy.values()].flat();
    plant(copy.get(release), everything);
    seen(
      `${what} (${policy})`,
      faultsIn(copy.get(release), everything).some((one) => one.policy === policy),
    );
  }
}

async function shapes(releases) {
  const all = [...[...releases.values()].flat(), ...operatorPods(releases)];
  const bad = PLANTED_SHAPES.map(([, kind, plant]) => {
    const copy = structuredClone(all.find((one) => one.kind === kind));
    plant(copy);
    return copy;
  });
  // Both are compiled as one program, because starting the compiler takes most of the time.
  const problems = keyProblems([...all, ...bad]);
  check(
    'schemas of Kubernetes, KEDA and the Prometheus operator',
    (await schemaProblems(all)).map(({ key, problem }) => `${key}: ${problem}`),
  );
  check(
    'no unknown keys',
    problems.filter(({ index }) => index < all.length).map(({ key, problem }) => `${key}: ${problem}`),
  );
  for (const [index, [what]] of PLANTED_SHAPES.entries()) {
    seen(
      what,
      problems.some((one) => one.index === all.length + index) || (await schemaProblems([bad[index]])).length > 0,
    );
  }
  const kinds = new Set(PLANTED_SHAPES.map(([, kind]) => kind));
  check(
    'every kind has a planted mistake or is checked like one that has',
    [...new Set(all.map(({ kind }) => kind))].filter(
      (kind) => !kinds.has(kind) && !['ServiceAccount', 'PrometheusRule', 'Pod'].includes(kind),
    ),
  );
}

function chart(releases) {
  for (const [what, release, args] of PLANTED_VALUES)
    seen(
      `values: ${what}`,
      isRefused(() => render(release, args)),
    );
  const annotation = (documents) =>
    documents.find(({ kind }) => kind === 'Deployment').spec.template.metadata.annotations['ponte/config'];
  const other = render('orders', ['--set-string', 'config.ORDERS_BRCODE_SECONDS=600']);
  check(
    'a changed setting restarts the pods',
    annotation(other) === annotation(releases.get('orders')) ? ['the annotation did not change'] : [],
  );
  check(
    'a second master key is accepted next to the first, as key rotation requires',
    rotationFaults(render('orders', ['--set-string', 'secrets.files.PONTE_OTHER_MASTER_KEY_FILE=next-master-key'])),
  );
  const names = (documents) => documents.find(({ kind }) => kind === 'Job').metadata.name;
  const pinned = `sha256:${'a'.repeat(64)}`;
  const pods = render('orders', ['--set', 'image.requireDigest=true', '--set', `image.digest=${pinned}`]).find(
    ({ kind }) => kind === 'Deployment',
  ).spec.template.spec;
  check(
    'an image with a digest is run by its digest',
    pods.containers[0].image.endsWith(`/orders@${pinned}`) ? [] : [pods.containers[0].image],
  );
  for (const controller of ['nginx', 'traefik'])
    check(`the ingress accepts uploads up to 10 MB and buffers: ${controller}`, ingressFaults(controller));
  check(
    'a new image has a new migration',
    names(render('orders', ['--set', 'image.tag=0.2.0'])) === names(releases.get('orders'))
      ? ['the name did not change']
      : [],
  );
}

/** The largest upload is the largest file in base64 plus the rest of the body, as in the code. */
function ingressFaults(controller) {
  const documents = render('gateway', [
    '--set',
    `ingresses[0].controller=${controller}`,
    '--set',
    `ingresses[1].controller=${controller}`,
  ]);
  const [, file] =
    /MAX_EVIDENCE_BYTES = ([\d_]+)/.exec(
      readFileSync(join(ROOT, 'libs/contracts/src/onboarding/evidence-events.ts'), 'utf8'),
    ) ?? [];
  const upload = Math.ceil(Number(file.replaceAll('_', '')) / 3) * 4 + 64 * 1024;
  const { metadata } = documents.find(({ kind, metadata: { name } }) => kind === 'Ingress' && name.endsWith('-public'));
  const told = largestBody(metadata, documents);
  return [
    ...(told === upload ? [] : [`${told} bytes instead of ${upload}`]),
    ...faultsIn(documents, documents)
      .filter(({ policy }) => policy === 'an ingress limits bodies and buffers both directions')
      .map(({ fault, policy }) => fault ?? policy),
  ];
}

function rotationFaults(documents) {
  return documents
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .flatMap(
      ({
        kind,
        spec: {
          template: { spec },
        },
      }) => {
        const named = spec.containers[0].env
          .filter(({ name }) => name.endsWith('MASTER_KEY_FILE'))
          .map(({ name, value }) => `${name} ${value}`)
          .sort()
          .join(', ');
        const mounted = spec.volumes
          .find(({ name }) => name === 'secrets')
          .secret.items.map(({ key }) => key)
          .sort()
          .join(', ');
        const wanted = [
          'PONTE_MASTER_KEY_FILE /run/secrets/ponte/master-key, PONTE_OTHER_MASTER_KEY_FILE /run/secrets/ponte/next-master-key',
          'master-key, next-master-key',
        ];
        return named === wanted[0] && mounted === wanted[1] ? [] : [`${kind}: ${named}; mounted ${mounted}`];
      },
    );
}

/** Operator commands on Kubernetes. */
async function operators(releases) {
  const all = [...releases.values()].flat();
  for (const pod of operatorPods(releases))
    check(
      `${pod.metadata.name}: is configured like its service but is not a replica`,
      podFaults(pod, releases.get(pod.metadata.name.split('-')[1]), all),
    );
  for (const [what, plant] of OPERATOR_PLANTED)
    seen(`the pod of a verb: ${what}`, podFaults(planted(releases, plant), releases.get('orders'), all).length > 0);
  for (const [what, faults] of await walks(releases)) check(what, faults);
}

function isRefused(work) {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

async function settings(releases) {
  for (const service of SERVICES) {
    const documents = releases.get(service);
    const set = variablesOf(documents);
    check(`${service}: settings match the code`, settingFaults(service, set, left(service)));
    check(`${service}: every setting that is read is declared`, undeclared(service));
    check(`${service}: KEDA watches the consumed topics`, await triggerFaults(service, documents));
    const [own] = ownSettings(service);
    if (own !== undefined)
      seen(
        `${service}: a forgotten setting`,
        settingFaults(service, new Set([...set].filter((name) => name !== own)), {
          ...left(service),
          own: left(service).own.filter((name) => name !== own),
        }).length > settingFaults(service, set, left(service)).length,
      );
  }
  seen(
    'a setting that no code reads',
    settingFaults(
      'orders',
      new Set([...variablesOf(releases.get('orders')), 'ORDERS_BRCODE_SECOND']),
      left('orders'),
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

function compose() {
  const read = readCompose();
  for (const [rule, violations] of Object.entries(COMPOSE_RULES)) check(`compose: ${rule}`, violations(read));
  check('compose: every rule has a planted mistake', uncovered(COMPOSE_RULES, COMPOSE_PLANTED));
  for (const [rule, what, plant] of COMPOSE_PLANTED) {
    const copy = structuredClone(read);
    plant(copy);
    const before = COMPOSE_RULES[rule](read).length;
    seen(`compose: ${what}`, COMPOSE_RULES[rule](copy).length > before);
  }
}

function dockerfile() {
  const [text, ignored] = [readDockerfile(), readIgnored()];
  for (const [rule, violations] of Object.entries(DOCKERFILE_RULES))
    check(`Dockerfile: ${rule}`, violations(text, ignored));
  check('Dockerfile: every rule has a planted mistake', uncovered(DOCKERFILE_RULES, DOCKERFILE_PLANTED));
  for (const [rule, what, plant] of DOCKERFILE_PLANTED)
    seen(`Dockerfile: ${what}`, DOCKERFILE_RULES[rule](plant(text), ignored).length > 0);
}

async function packages() {
  const json = readPackage();
  const imports = Object.fromEntries(await Promise.all(SERVICES.map(async (app) => [app, await outside(app)])));
  for (const [rule, violations] of Object.entries(PACKAGE_RULES)) check(`packages: ${rule}`, violations(json, imports));
  for (const [rule, what, plant] of PACKAGES_PLANTED) {
    const copy = structuredClone(json);
    plant(copy);
    seen(`packages: ${what}`, PACKAGE_RULES[rule](copy, imports).length > PACKAGE_RULES[rule](json, imports).length);
  }
}

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
  await operators(releases);
  await settings(releases);
  compose();
  dockerfile();
  await packages();
}

await main().catch((error) => failed.push(`the check itself: ${error.stack ?? error}`));
for (const failure of failed) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
// CI sums these counts over all of its runs.
if (process.env.PONTE_TALLY) appendFileSync(process.env.PONTE_TALLY, `${passed} ${failed.length}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
