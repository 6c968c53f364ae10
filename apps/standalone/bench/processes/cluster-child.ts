import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Runtime } from '@ponte/nest';
import { readTracing } from '@ponte/observability';
import type { RunningCluster } from '../../src/cluster';
import { AccountCommands } from '../../../onboarding/src/sandbox/account-commands';
import { startCluster } from '../../src/cluster';
import { readySandbox } from '../../src/ready-sandbox';
import type { SandboxFile } from '../../src/sandbox-file';
import { serveParent } from './child';
import { WeightlessStore } from './weightless-store';

export interface ClusterReady {
  readonly sandbox: SandboxFile;
  /** From the start of the process until it can answer requests. */
  readonly startupSeconds: number;
  /** Additional sub-accounts, BENCH_ACCOUNTS of them. */
  readonly accounts: readonly string[];
  readonly dataDirectory: string;
}

/**
 * Runs the sandbox cluster. `BENCH_STORE=none` replaces its event store with one that keeps event objects in memory.
 */
async function main(): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  const runtime: Runtime = {
    environment: 'sandbox',
    dataDirectory,
    port: 0,
    logLevel: 'error',
    embeddedByName: true,
    failpoint: null,
    tracing: readTracing(process.env),
  };
  const store = process.env['BENCH_STORE'] === 'none' ? { store: new WeightlessStore() } : {};
  const cluster = await startCluster(runtime, store);
  const sandbox = await readySandbox(cluster, dataDirectory);
  const startupSeconds = process.uptime();
  const accounts = await openAccounts(cluster, sandbox['account-id'], Number(process.env['BENCH_ACCOUNTS'] ?? '0'));
  serveParent<ClusterReady>({ sandbox, startupSeconds, accounts, dataDirectory }, async () => {
    await cluster.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
}

async function openAccounts(cluster: RunningCluster, parentId: string, count: number): Promise<string[]> {
  const commands = new AccountCommands(cluster.engines, 'bench');
  const opened: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { accountId } = await commands.openAccount({
      parentId,
      alias: `Bench ${at}`,
      externalId: null,
      onboardingMode: null,
      legalName: `Bench Person ${at}`,
      taxId: cpf(at),
      capabilities: [],
      bankAccount: null,
    });
    opened.push(accountId);
  }
  return opened;
}

/** Derives a valid CPF from a number. */
function cpf(seed: number): string {
  const digits = String(100_000_000 + seed)
    .split('')
    .map(Number);
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((total, digit, at) => total + digit * (length + 1 - at), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

void main();
