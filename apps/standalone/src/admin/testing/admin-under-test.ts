import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Engines, RunningProcess } from '@ponte/nest';
import { openEmbeddedEngines } from '@ponte/nest';
import { temporaryFolder } from '@ponte/testing';
import { pino } from 'pino';
import { runAdmin } from '../../../../admin/src/program';
import { bootStaffApi } from '../admin';

/** The exit code, output and errors of a verb. */
interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: readonly string[];
}

/** Runs admin verbs on a data folder that no cluster uses. */
export class AdminUnderTest {
  private constructor(
    readonly engines: Engines,
    private readonly process: RunningProcess,
    private readonly folder: ReturnType<typeof temporaryFolder>,
    /** All log lines. */
    readonly log: readonly string[],
  ) {}

  static async start(): Promise<AdminUnderTest> {
    const folder = temporaryFolder();
    const log: string[] = [];
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        log.push(chunk.toString());
        done();
      },
    });
    const engines = await openEmbeddedEngines(
      {
        environment: 'sandbox',
        dataDirectory: folder.path,
        port: 0,
        logLevel: 'trace',
        embeddedByName: true,
        failpoint: null,
      },
      'admin',
      { logger: pino({ level: 'trace' }, sink) },
    );
    return new AdminUnderTest(engines, await bootStaffApi(engines), folder, log);
  }

  /** Runs a verb. Every file that the command line names has the content `file`. */
  async run(argv: readonly string[], file = ''): Promise<Ended> {
    const out: string[] = [];
    const err: string[] = [];
    const token = readFileSync(join(this.folder.path, 'staff-token'), 'utf8').trim();
    const code = await runAdmin(
      argv,
      {
        gateway: async () => ({ baseUrl: `http://127.0.0.1:${this.process.port}`, token }),
        operate: () => Promise.reject(new Error('not an operator verb')),
      },
      { print: (text) => void out.push(text), complain: (text) => void err.push(text), readFile: () => file },
    );
    return { code, out: out.join('\n'), err };
  }

  /** Runs a verb and returns the JSON that it prints. Throws if the verb fails. */
  async json(...argv: string[]): Promise<Record<string, unknown>> {
    const { code, out, err } = await this.run([...argv, '--json']);
    if (code !== 0) throw new Error(err.join('\n'));
    return JSON.parse(out) as Record<string, unknown>;
  }

  /** Opens a partner and returns its account id. */
  async partner(): Promise<string> {
    const { 'account-id': id } = await this.json(
      ...['account', 'open-partner', '--alias', 'Acme', '--legal-name', 'Acme SA', '--tax-id', '11222333000181'],
      ...['--capability', 'manage-holders,rate-lock-5m'],
    );
    return id as string;
  }

  context(): RequestContext {
    const id = this.engines.ids.next();
    return { commandId: id, correlationId: id, actor: 'test' };
  }

  /** The contents of every file of the data folder. */
  files(): readonly string[] {
    return readdirSync(this.folder.path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  }

  async stop(): Promise<void> {
    await this.process.stop();
    this.folder.remove();
  }
}
