import type { Kysely, KyselyPlugin, RootOperationNode } from 'kysely';
import { createQueryId } from 'kysely';
import type { Postgres } from '@ponte/postgres';

/** One node of PostgreSQL's plan of a statement. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** `SubPlan`: executed for each row of the node above. */
  readonly 'Parent Relationship'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

/** A node without its children. */
export type ReadNode = Omit<PlanNode, 'Plans'> & { readonly isLimited: boolean };

/** Records the statements of a database, whose plans a test can check. */
export class RecordedStatements {
  readonly db: Kysely<unknown>;
  private readonly nodes: RootOperationNode[] = [];

  constructor(
    private readonly postgres: Postgres,
    db: Kysely<unknown>,
  ) {
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        this.nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    this.db = db.withPlugin(plugin);
  }

  /** The plans of the different SELECT and DELETE statements since the last call, by their text. */
  async plans(): Promise<ReadonlyMap<string, readonly ReadNode[]>> {
    const executor = this.db.getExecutor();
    const statements = this.nodes.splice(0).map((node) => executor.compileQuery(node, createQueryId()));
    const plans = new Map<string, readonly ReadNode[]>();
    for (const { sql, parameters } of statements) {
      if (plans.has(sql) || !/^(select|delete) /i.test(sql)) continue;
      const rows = await this.postgres.query<{ 'QUERY PLAN': string | [{ Plan: PlanNode }] }>(
        `EXPLAIN (FORMAT JSON) ${sql}`,
        parameters,
      );
      const found = rows[0]?.['QUERY PLAN'] ?? '[]';
      const [explained] = (typeof found === 'string' ? JSON.parse(found) : found) as [{ Plan: PlanNode }];
      plans.set(sql, withDescendants(explained.Plan));
    }
    return plans;
  }
}

/** Nodes that read all rows of the node below before they return one. */
const READS_ALL = /^(Sort|Hash|Aggregate|Materialize|Unique)$/;

/** `isLimited`: whether a limit above ends the node early. */
const withDescendants = ({ Plans = [], ...node }: PlanNode, isLimited = false): ReadNode[] => {
  const type = node['Node Type'];
  const isBelowLimit = (isLimited || type === 'Limit') && !READS_ALL.test(type);
  return [{ ...node, isLimited }, ...Plans.flatMap((one) => withDescendants(one, isBelowLimit))];
};
