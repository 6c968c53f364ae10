import { createReadModelTable } from '@ponte/read-models';
import type { RebuildableReadModel } from '@ponte/read-models';
import type { EventToAppend, Recorded } from '@ponte/event-sourcing';
import type { Engines, Runtime } from '@ponte/nest';
import { openEmbeddedEngines, openEmbeddedTools, readRuntime } from '@ponte/nest';
import type { OperatorTools } from '@ponte/operator';
import { operatorVerbs, runOperator } from '@ponte/operator';
import { temporaryFolder } from '@ponte/testing';
import { Command } from 'commander';

interface Row {
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly state: string;
}
export const tableOf = (db: Engines['readModels']) =>
  createReadModelTable<Row>({ db, table: 'orders', columns: { state: 'text' } });
export const rowsOf = (events: readonly Recorded[]): Row[] => [
  ...new Map(
    events.map(({ stream, revision, type }) => [
      stream,
      { id: stream, revision, created_at: '2026-01-01T00:00:00.000Z', state: type },
    ]),
  ).values(),
];
export const READ_MODEL: RebuildableReadModel = {
  name: 'orders-list',
  reader: 'orders-list',
  categories: ['order'],
  tables: ['orders'],
  async open(db) {
    const rows = tableOf(db);
    await rows.prepare();
    return { apply: ({ events }) => rows.putAll(rowsOf(events)) };
  },
};
export const RELAY = 'webhook-outbox';
/** A reader of the bank, whose position is a time. */
export const BANK_READER = { name: 'received', lease: 'received' };
export const all = { where: {}, page: { limit: 100, cursor: null, createdFrom: null, createdTo: null } };
export const anEvent = (id: string, type = 'OrderPlaced'): EventToAppend => ({
  id,
  type,
  version: 1,
  data: {},
  meta: { commandId: id, index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: id },
});
export const because = ['--reason', 'a test', '--actor', 'ops'];

/** The exit code, output and errors of a verb. */
interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs operator verbs on a data folder, whose engines a test may keep open. */
export class OperatorUnderTest {
  readonly folder = temporaryFolder();
  private engines: Engines | undefined;
  /** What the tools of the next verbs do differently. */
  change: (tools: OperatorTools) => Partial<OperatorTools> = () => ({});

  runtime(): Runtime {
    return readRuntime({ PONTE_DATA_DIR: this.folder.path, PONTE_LOG_LEVEL: 'silent' });
  }

  async open(): Promise<Engines> {
    return (this.engines = await openEmbeddedEngines(this.runtime(), 'test'));
  }

  async closeEngines(): Promise<void> {
    await this.engines?.close();
    this.engines = undefined;
  }

  async close(): Promise<void> {
    await this.closeEngines();
    this.folder.remove();
  }

  /** Runs a verb as another process would: it shares only the files. */
  async verb(...argv: string[]): Promise<Ended> {
    const [out, err]: [string[], string[]] = [[], []];
    const code = await runOperator(
      (open, print) => {
        const program = new Command('admin')
          .exitOverride()
          .configureOutput({ writeErr: (text) => void err.push(text) });
        for (const one of operatorVerbs(open, print)) program.addCommand(one);
        return program.parseAsync(argv, { from: 'user' });
      },
      async () => {
        const tools = await openEmbeddedTools(this.runtime(), [READ_MODEL], [RELAY], [BANK_READER]);
        return { ...tools, ...this.change(tools) };
      },
      { print: (text) => void out.push(text), complain: (text) => void err.push(text) },
    );
    return { code, out: out.join('\n'), err: err.join('\n') };
  }

  async json(...argv: string[]): Promise<Record<string, unknown>[]> {
    return JSON.parse((await this.verb(...argv, '--json')).out) as Record<string, unknown>[];
  }
}
