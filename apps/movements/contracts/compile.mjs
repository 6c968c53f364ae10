#!/usr/bin/env node
/**
 * Compiles the contracts in this folder into artifacts/<Name>.json {abi, bytecode, sourceHash}, which are committed.
 * `npm run contracts:compile` installs the compiler and compiles; `--check` only checks that the artefacts match
 * the sources, and needs no compiler.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

const NAMES = ['Custody', 'CustodyWallet', 'Minter', 'PonteToken', 'PonteVault', 'RewardCertificate', 'TestStable'];
/** cancun: OpenZeppelin 5.7 uses mcopy. No metadata hash, so that the bytecode depends on the code alone. */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

const ownSources = () =>
  Object.fromEntries(
    readdirSync(here)
      .filter((file) => file.endsWith('.sol'))
      .sort()
      .map((file) => [file, readFileSync(join(here, file), 'utf8').replaceAll('\r\n', '\n')]),
  );

/** What the bytecode depends on: our sources, the settings, and the versions of the compiler and of OpenZeppelin. */
function sourceHash() {
  const { devDependencies: tools } = require('./package.json');
  const versions = [tools.solc, tools['@openzeppelin/contracts']];
  return createHash('sha256')
    .update(JSON.stringify([ownSources(), SETTINGS, versions]))
    .digest('hex');
}

const artifactFile = (name) => join(here, 'artifacts', `${name}.json`);

function check() {
  const expected = sourceHash();
  const stale = NAMES.filter((name) => JSON.parse(readFileSync(artifactFile(name), 'utf8')).sourceHash !== expected);
  if (stale.length === 0) return;
  console.error(`stale: ${stale.join(', ')}. Run: node apps/movements/contracts/compile.mjs`);
  process.exitCode = 1;
}

function compile() {
  const solc = require('solc');
  const sources = Object.fromEntries(Object.entries(ownSources()).map(([file, content]) => [file, { content }]));
  const input = { language: 'Solidity', sources, settings: SETTINGS };
  const resolve = (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: resolve }));
  const faults = output.errors ?? [];
  for (const fault of faults) console.error(fault.formattedMessage);
  if (faults.length > 0) process.exit(1);
  const hash = sourceHash();
  mkdirSync(join(here, 'artifacts'), { recursive: true });
  for (const name of NAMES) {
    const { abi, evm } = output.contracts[`${name}.sol`][name];
    const artifact = { abi, bytecode: `0x${evm.bytecode.object}`, sourceHash: hash };
    writeFileSync(artifactFile(name), `${JSON.stringify(artifact, null, 2)}\n`);
    console.log(`${name}: ${evm.bytecode.object.length / 2} bytes`);
  }
}

if (process.argv.includes('--check')) check();
else compile();
