// Checks what is built and run without Kubernetes: compose.yaml, the Dockerfile and the packages in the image.
/* global structuredClone */
import { COMPOSE_RULES, readCompose } from '../compose.mjs';
import { DOCKERFILE_RULES, readDockerfile, readIgnored } from '../dockerfile.mjs';
import { outside, PACKAGE_RULES, PACKAGES_PLANTED, readPackage } from '../packages.mjs';
import { COMPOSE_PLANTED } from '../planted/compose.mjs';
import { DOCKERFILE_PLANTED } from '../planted/dockerfile.mjs';
import { SERVICES } from '../render.mjs';
import { check, seen, uncovered } from './results.mjs';

export function compose() {
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

export function dockerfile() {
  const [text, ignored] = [readDockerfile(), readIgnored()];
  for (const [rule, violations] of Object.entries(DOCKERFILE_RULES))
    check(`Dockerfile: ${rule}`, violations(text, ignored));
  check('Dockerfile: every rule has a planted mistake', uncovered(DOCKERFILE_RULES, DOCKERFILE_PLANTED));
  for (const [rule, what, plant] of DOCKERFILE_PLANTED)
    seen(`Dockerfile: ${what}`, DOCKERFILE_RULES[rule](plant(text), ignored).length > 0);
}

export async function packages() {
  const json = readPackage();
  const imports = Object.fromEntries(await Promise.all(SERVICES.map(async (app) => [app, await outside(app)])));
  for (const [rule, violations] of Object.entries(PACKAGE_RULES)) check(`packages: ${rule}`, violations(json, imports));
  for (const [rule, what, plant] of PACKAGES_PLANTED) {
    const copy = structuredClone(json);
    plant(copy);
    seen(`packages: ${what}`, PACKAGE_RULES[rule](copy, imports).length > PACKAGE_RULES[rule](json, imports).length);
  }
}
