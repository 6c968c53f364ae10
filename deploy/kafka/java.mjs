// The programs of Apache Kafka's jars.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const POM = join(HERE, 'pom.xml');
const CACHE = resolve(HERE, '../../node_modules/.cache/ponte-kafka');

/** A small heap and the compiler that starts fastest, because the broker runs only for minutes on one machine. */
const JVM = [
  '-Xmx384m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
  '-Djava.awt.headless=true',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
  '-Dorg.slf4j.simpleLogger.logFile=System.err',
];

/** The version of Kafka in pom.xml. */
export const version = () => /<kafka.version>([^<]+)</.exec(readFileSync(POM, 'utf8'))?.[1];

/** Returns the folder of the jars, which are downloaded once for each version of pom.xml. */
export function jars() {
  const pom = readFileSync(POM);
  const folder = join(CACHE, createHash('sha256').update(pom).digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  // Copied into a temporary folder and renamed, so that an existing folder is always complete, even when several
  // processes copy.
  const half = mkdtempSync(join(CACHE, 'half-'));
  const { status, error, stdout, stderr } = spawnSync(
    'mvn',
    [
      '-q',
      '-B',
      '-Dstyle.color=never',
      '-f',
      POM,
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${half}`,
    ],
    // Maven writes colour codes even when it has nothing to report, so its output is shown only when it fails.
    { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
  );
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
    rmSync(half, { recursive: true, force: true });
    throw new Error(
      error ? `mvn could not be run (${error.message}): install Maven and Java 17` : 'mvn could not resolve Kafka',
    );
  }
  try {
    renameSync(half, folder);
  } catch (failure) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(folder)) throw failure;
  }
  return folder;
}

/** Runs a program of Kafka until it ends. */
export function run(classpath, main, args) {
  const { status } = spawnSync('java', [...JVM, '-cp', classpath, main, ...args], { stdio: ['ignore', 'ignore', 2] });
  if (status !== 0) throw new Error(`${main} failed`);
}

/** Starts a broker in a separate process group, so that Ctrl-C in the terminal reaches it only through this process. */
export const startBroker = (classpath, config) =>
  spawn('java', [...JVM, '-cp', classpath, 'kafka.Kafka', config], {
    stdio: ['ignore', 'ignore', 2],
    detached: true,
  });
