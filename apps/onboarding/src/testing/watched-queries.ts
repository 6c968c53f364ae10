import type { Kysely, KyselyPlugin, RootOperationNode } from 'kysely';
import { ExplainNode, RawNode } from 'kysely';

/** Counts the statements and the rows that they return. */
export class CountedQueries {
  statements = 0;
  rows = 0;

  over(db: Kysely<unknown>): Kysely<unknown> {
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        this.statements += 1;
        this.rows += result.rows.length;
        return result;
      },
    };
    return db.withPlugin(plugin);
  }
}

/** Explains statements instead of running them, so each returns no rows. Only for SQLite. */
export class ExplainedQueries {
  /** A line for each step of each statement, such as `SEARCH table USING INDEX index (column=?)`. */
  readonly steps: string[] = [];

  over(db: Kysely<unknown>): Kysely<unknown> {
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }): RootOperationNode => {
        if (node.kind !== 'SelectQueryNode') return node;
        return { ...node, explain: ExplainNode.create(undefined, RawNode.createWithSql('query plan')) };
      },
      transformResult: async ({ result }) => {
        this.steps.push(...result.rows.map((step) => String(step['detail'])));
        return { rows: [] };
      },
    };
    return db.withPlugin(plugin);
  }
}
