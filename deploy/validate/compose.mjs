// Checks deploy/compose.yaml: its structure, the files that it names, and the settings of the code. CI has no container
// engine.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './helm.mjs';
import { images, nameOf } from './images.mjs';
import { commonSettings, ownSettings } from './settings.mjs';

const FOLDER = join(ROOT, 'deploy');
const TOP = ['name', 'services', 'volumes'];
const KEYS = [
  'image',
  'build',
  'environment',
  'command',
  'depends_on',
  'volumes',
  'tmpfs',
  'ports',
  'healthcheck',
  'restart',
  'stop_grace_period',
  'read_only',
  'cap_drop',
  'security_opt',
  'mem_limit',
  'profiles',
];
const HEALTH = ['test', 'interval', 'timeout', 'start_period', 'retries'];
const CONDITIONS = ['service_started', 'service_healthy', 'service_completed_successfully'];

export const readCompose = () => parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true });

const entries = (compose) => Object.entries(compose.services);
const isOurs = ({ image }) => image?.startsWith('ponte/');
const appOf = ({ image }) => image.slice('ponte/'.length).split(':')[0];

/** Name of the rule → (compose) → faults. */
export const COMPOSE_RULES = {
  'only known keys': (compose) => [
    ...Object.keys(compose).filter((key) => !TOP.includes(key) && !key.startsWith('x-')),
    ...entries(compose).flatMap(([name, service]) =>
      Object.keys(service)
        .filter((key) => !KEYS.includes(key))
        .map((key) => `${name}.${key}`),
    ),
    ...entries(compose).flatMap(([name, { healthcheck = {} }]) =>
      Object.keys(healthcheck)
        .filter((key) => !HEALTH.includes(key))
        .map((key) => `${name}.healthcheck.${key}`),
    ),
  ],

  'images have a fixed version and no registry host': (compose) =>
    entries(compose).flatMap(([name, { image = '' }]) => {
      const [, host, tag] = /^(?:([^/]*[.:][^/]*)\/)?[^:]+:(.+)$/.exec(image) ?? [];
      return tag === undefined || tag === 'latest' || host !== undefined || !/\d/.test(tag)
        ? [`${name}: ${image}`]
        : [];
    }),

  'dependencies exist and can meet their condition': (compose) =>
    entries(compose).flatMap(([name, { depends_on: others = {}, profiles }]) =>
      Object.entries(others).flatMap(([other, { condition }]) => {
        const target = compose.services[other];
        if (!target) return [`${name} waits for ${other}, which does not exist`];
        return [
          ...(CONDITIONS.includes(condition) ? [] : [`${name}: ${condition}`]),
          ...(condition === 'service_healthy' && !target.healthcheck ? [`${other} has no health check`] : []),
          ...(condition === 'service_completed_successfully' && target.restart !== 'no'
            ? [`${other} never completes`]
            : []),
          ...(target.profiles && !profiles ? [`${name} waits for ${other}, which belongs to a profile`] : []),
        ];
      }),
    ),

  'volumes are declared and used, and files exist': (compose) => {
    const mounts = entries(compose).flatMap(([name, { volumes = [] }]) =>
      volumes.map((text) => ({ name, source: text.split(':')[0], mode: text.split(':')[2] })),
    );
    const named = mounts.filter(({ source }) => !source.startsWith('.'));
    return [
      ...named
        .filter(({ source }) => !(source in compose.volumes))
        .map(({ name, source }) => `${name}: ${source} is not declared`),
      ...Object.keys(compose.volumes)
        .filter((volume) => !named.some(({ source }) => source === volume))
        .map((volume) => `${volume} is not used`),
      ...mounts
        .filter(({ source }) => source.startsWith('.') && !existsSync(join(FOLDER, source)))
        .map(({ name, source }) => `${name}: ${source} does not exist`),
      ...mounts
        .filter(({ source, mode }) => source.startsWith('.') && mode !== 'ro')
        .map(({ name, source }) => `${name}: ${source} is writable`),
      ...entries(compose).flatMap(([name, { volumes = [], tmpfs = [] }]) =>
        volumes
          .filter((text) => tmpfs.some((one) => one.split(':')[0] === text.split(':')[1]))
          .map((text) => `${name}: ${text} is hidden by a tmpfs`),
      ),
    ];
  },

  'ports are only on loopback and unique': (compose) => {
    const ports = entries(compose).flatMap(([name, { ports: own = [] }]) => own.map((port) => ({ name, port })));
    const doubled = ports.filter(
      ({ port }, index) => ports.findIndex((one) => one.port.split(':')[1] === port.split(':')[1]) !== index,
    );
    return [...ports.filter(({ port }) => !/^127\.0\.0\.1:\d+:\d+$/.test(port)), ...doubled].map(
      ({ name, port }) => `${name}: ${port}`,
    );
  },

  'memory is limited, and running services have a health check': (compose) =>
    entries(compose).flatMap(([name, { mem_limit: limit, healthcheck, restart, profiles }]) => [
      ...(limit ? [] : [`${name} has no mem_limit`]),
      ...(healthcheck || restart === 'no' || profiles ? [] : [`${name} has no health check`]),
    ]),

  'our containers are read-only and have no capabilities': (compose) =>
    entries(compose)
      .filter(([, service]) => isOurs(service))
      .flatMap(([name, { read_only: readOnly, cap_drop: drop, security_opt: options }]) =>
        readOnly === true && drop?.includes('ALL') && options?.includes('no-new-privileges:true') ? [] : [name],
      ),

  'every service starts after its migration': (compose) =>
    ['gateway', 'onboarding', 'pricing', 'orders', 'movements', 'ledger', 'webhooks'].flatMap((name) => {
      const [service, migration] = [compose.services[name], compose.services[`${name}-migration`]];
      const builds = [service, migration].every(
        (one) =>
          one &&
          appOf(one) === name &&
          one.build?.args?.APP === name &&
          existsSync(join(FOLDER, one.build.context, one.build.dockerfile)),
      );
      return builds && service.depends_on[`${name}-migration`]?.condition === 'service_completed_successfully'
        ? []
        : [name];
    }),

  'settings are known to the code': (compose) =>
    entries(compose)
      .filter(([, service]) => isOurs(service))
      .flatMap(([name, service]) => {
        const known = new Set([...commonSettings(), ...ownSettings(appOf(service))]);
        const needed = ['ESDB_URL', 'KAFKA_BROKERS', 'DATABASE_URL', 'PONTE_ENVIRONMENT'];
        return [
          ...Object.keys(service.environment)
            .filter((one) => !known.has(one))
            .map((one) => `${name}: ${one} is not a setting`),
          ...needed.filter((one) => !service.environment[one]).map((one) => `${name}: ${one} is not set`),
          ...Object.entries(service.environment)
            .filter(([, value]) => typeof value !== 'string')
            .map(([one]) => `${name}: ${one} is not a string`),
        ];
      }),

  'third-party images match images.yaml': (compose) => {
    const listed = images()
      .filter(({ used }) => used === 'compose')
      .map(nameOf);
    const run = entries(compose)
      .filter(([, service]) => !isOurs(service))
      .map(([, { image }]) => image);
    return [
      ...run.filter((image) => !listed.includes(image)).map((image) => `${image} is not listed`),
      ...listed.filter((image) => !run.includes(image)).map((image) => `${image} is listed but not used`),
    ];
  },

  'the broker has the version that the tests use': (compose) => {
    const [, version] = /<kafka\.version>([^<]+)</.exec(readFileSync(join(FOLDER, 'kafka/pom.xml'), 'utf8')) ?? [];
    return compose.services.kafka.image.split('@')[0] === `apache/kafka:${version}`
      ? []
      : [`${compose.services.kafka.image} and ${version}`];
  },
};
