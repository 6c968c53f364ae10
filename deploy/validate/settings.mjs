// Compares the settings that the code reads with those that an installation sets, in both directions: this finds
// misspelt and forgotten names.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import esbuild from 'esbuild';
import { ROOT } from './helm.mjs';

/** A declared setting: { name: 'ORDERS_BRCODE_SECONDS', meaning: … }. */
const DECLARED = /\bname: '([A-Z][A-Z0-9_]*(?:<CHAIN>)?)',\s*meaning:/g;
/** A setting that is read: env['NAME'], process.env['NAME'], process.env.NAME. */
const READ = /\benv(?:\['([A-Z][A-Z0-9_]*)'\]|\.([A-Z][A-Z0-9_]*)\b)/g;
/** `policiesController(['ledger', 'movements'], 'orders')`: events of the services listed, for the group after them. */
const CONSUMED = /policiesController\(\s*\[([^\]]*)\],\s*'([a-z]+)'/g;
const CHAINS = ['ETH_MAINNET', 'ETH_BASE', 'TEMPO'];
/** Variables of the system and of Node. */
const FOREIGN = new Set(['PATH', 'HOME', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_PATH', 'KAFKAJS_NO_PARTITIONER_WARNING']);
/** Libraries of every process. */
const LIBRARIES = readdirSync(join(ROOT, 'libs'))
  .filter((library) => library !== 'sdk' && library !== 'testing')
  .map((library) => `libs/${library}/src`);
/** Folders whose code does not run in an installation. */
const NOT_SHIPPED = /\/(testing|harness|e2e|bench|fixtures)\/|\.(spec|contract)\.ts$|\.d\.ts$/;

const folders = new Map();

/** The files of a folder that are part of the product: `{ file, text }`. */
function files(folder) {
  const at = join(ROOT, folder);
  if (!folders.has(folder)) {
    const all = existsSync(at) ? readdirSync(at, { recursive: true }).map((file) => join(at, file)) : [];
    folders.set(
      folder,
      all
        .filter((file) => file.endsWith('.ts') && !NOT_SHIPPED.test(file))
        .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
    );
  }
  return folders.get(folder);
}

const code = (folder) =>
  files(folder)
    .map(({ text }) => text)
    .join('\n');

/** Replaces the member of a constant, as in `name: MASTER_KEY_VARIABLES.file, meaning:`, by its value. */
function spelledOut(text) {
  return text.replace(/\bname: ([A-Z_]+)\.(\w+)(?=,\s*meaning:)/g, (whole, constant, member) => {
    const [, object] = new RegExp(`const ${constant} = \\{([^}]*)\\}`).exec(LIBRARIES.map(code).join('\n')) ?? [];
    const [, name] = new RegExp(`\\b${member}: '([A-Z][A-Z0-9_]*)'`).exec(object ?? '') ?? [];
    if (name === undefined) throw new Error(`a setting refers to ${constant}.${member}, which no library defines`);
    return `name: '${name}'`;
  });
}

const found = (pattern, text) =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups.find((one) => one !== undefined));
const spelt = (name) => (name.endsWith('<CHAIN>') ? CHAINS.map((chain) => name.replace('<CHAIN>', chain)) : [name]);
/** Files of the libraries that declare settings, with their exports. */
const shared = () =>
  LIBRARIES.flatMap(files)
    .map(({ file, text }) => ({
      file,
      settings: found(DECLARED, spelledOut(text)).flatMap(spelt),
      exported: found(/^export (?:async )?(?:const|function|class) (\w+)/gm, text),
    }))
    .filter(({ settings }) => settings.length > 0);

const mentions = (text, names) => names.some((name) => new RegExp(`\\b${name}\\b`).test(text));

/** Whether the libraries read these settings in every process. Otherwise the service decides. */
const isCommon = ({ file, exported }) =>
  LIBRARIES.flatMap(files).some(
    (other) => other.file !== file && !other.file.endsWith('/index.ts') && mentions(other.text, exported),
  );

/** Settings of every process. */
export const commonSettings = () =>
  new Set(
    shared()
      .filter(isCommon)
      .flatMap(({ settings }) => settings),
  );

/** Settings of one service, without those of all processes. */
export function ownSettings(service) {
  const text = code(`apps/${service}/src`);
  const taken = shared()
    .filter((one) => !isCommon(one) && mentions(text, one.exported))
    .flatMap(({ settings }) => settings);
  return new Set([...found(DECLARED, spelledOut(text)).flatMap(spelt), ...taken]);
}

/** Names that a service or a library reads but does not declare. */
export function undeclared(service) {
  const declared = new Set([...shared().flatMap(({ settings }) => settings), ...ownSettings(service)]);
  const read = [`apps/${service}/src`, ...LIBRARIES].flatMap((folder) => found(READ, code(folder)));
  return [...new Set(read)].filter((name) => !declared.has(name) && !FOREIGN.has(name));
}

/** Variables that a release sets in its container. */
export function variablesOf(documents) {
  const container = documents.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
  const maps = documents.filter(
    ({ kind, metadata }) =>
      kind === 'ConfigMap' && container.envFrom.some(({ configMapRef }) => configMapRef.name === metadata.name),
  );
  return new Set([...container.env.map(({ name }) => name), ...maps.flatMap(({ data }) => Object.keys(data))]);
}

/**
 * Differences between the settings that are set, those that keep their default, and those that the code declares.
 * @param left names that keep the default of the code: `{ common, own }`
 */
export function settingFaults(service, set, left) {
  const [common, own] = [commonSettings(), ownSettings(service)];
  const known = new Set([...set, ...left.common, ...left.own]);
  return [
    ...[...set]
      .filter((name) => !common.has(name) && !own.has(name) && !FOREIGN.has(name))
      .map((name) => `${name} is set but unknown to ${service}`),
    ...[...left.common, ...left.own]
      .filter((name) => !common.has(name) && !own.has(name))
      .map((name) => `${name} is left to its default but unknown to ${service}`),
    ...[...left.common, ...left.own]
      .filter((name) => set.has(name))
      .map((name) => `${name} is both set and left to its default`),
    // Only the gateway uses PORT, although every process could read it.
    ...[...common, ...own]
      .filter((name) => !known.has(name) && name !== 'PORT')
      .map((name) => `${name} of ${service} is neither set nor left to its default`),
  ];
}

/** The services whose events a service consumes in its own group, from its code. */
export const consumedBy = (service) =>
  new Set(
    [...code(`apps/${service}/src`).matchAll(CONSUMED)]
      .filter(([, , group]) => group === service)
      .flatMap(([, sources]) => sources.match(/[a-z]+/g)),
  );

/** The names of topics and groups, as in the adapter. */
export async function kafkaNames(prefix) {
  const { code: text } = await esbuild.transform(readFileSync(join(ROOT, 'libs/bus-kafka/src/names.ts'), 'utf8'), {
    loader: 'ts',
    format: 'esm',
  });
  const { names } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return names(prefix);
}

/** Differences between the topics that KEDA watches and those that the service consumes. */
export async function triggerFaults(service, documents) {
  const scaled = documents.find(({ kind }) => kind === 'ScaledObject');
  if (!scaled) return [];
  const name = await kafkaNames('');
  const watched = scaled.spec.triggers
    .filter(({ type }) => type === 'kafka')
    .map(({ metadata: { topic, consumerGroup } }) => `${topic} of ${consumerGroup}`);
  const read = [
    `${name.commands(service)} of ${name.commandsGroup(service)}`,
    ...[...consumedBy(service)].map((source) => `${name.events(source)} of ${name.eventsGroup(service)}`),
  ];
  return [
    ...watched.filter((one) => !read.includes(one)).map((one) => `KEDA watches ${one}, which ${service} does not read`),
    ...read.filter((one) => !watched.includes(one)).map((one) => `KEDA does not watch ${one}`),
  ];
}
