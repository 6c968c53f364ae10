// Checks the rendered objects against the policies, the schemas and the types.
/* global structuredClone */
import { operatorPods } from '../operator.mjs';
import { PLANTED } from '../planted/policies.mjs';
import { PLANTED_SHAPES } from '../planted/shapes.mjs';
import { faultsIn, POLICIES } from '../policies.mjs';
import { keyOf } from '../render.mjs';
import { keyProblems, schemaProblems } from '../schemas.mjs';
import { check, seen, uncovered } from './results.mjs';

export function manifests(releases) {
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

export async function shapes(releases) {
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
