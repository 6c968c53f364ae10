import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssignerProtocol, Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import type { Running } from '../../e2e/testing/program';

/** The partitions of a consumer group by client id, each as `<topic> <partition>`. */
type Shares = ReadonlyMap<string, readonly string[]>;

/** A lease that is held. Each new holder gets a greater fencing number. */
export interface HeldLease {
  readonly name: string;
  readonly fence: number;
  /** Begins with the name of the process. */
  readonly holder: string;
}

const LINE_OF_PORT = 3;

/** Asks the broker for the members of consumer groups. Works only with a broker that the cluster started itself. */
export async function sharesOf(
  { dataDirectory }: Running,
  groups: readonly string[],
): Promise<ReadonlyMap<string, Shares>> {
  const { broker } = JSON.parse(readFileSync(join(dataDirectory, 'kafka/ports.json'), 'utf8')) as { broker: number };
  const admin = new Kafka({ brokers: [`127.0.0.1:${broker}`], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const { groups: described } = await admin.describeGroups([...groups]);
    return new Map(
      described.map(({ groupId, members }) => [
        groupId,
        new Map(members.map(({ clientId, memberAssignment }) => [clientId, partitionsIn(memberAssignment)])),
      ]),
    );
  } finally {
    await admin.disconnect();
  }
}

function partitionsIn(assignment: Buffer): string[] {
  if (assignment.length === 0) return [];
  const { assignment: topics = {} } = AssignerProtocol.MemberAssignment.decode(assignment) ?? {};
  return Object.entries(topics).flatMap(([topic, partitions]) =>
    partitions.map((partition) => `${topic} ${partition}`),
  );
}

/** The leases of a service that are currently held, sorted by name. */
export async function leasesOf({ dataDirectory }: Running, service: string): Promise<readonly HeldLease[]> {
  const port = Number(
    readFileSync(join(dataDirectory, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[LINE_OF_PORT],
  );
  const client = new Client({ connectionString: `postgres://ponte@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; fence: string; holder: string }>(
      `SELECT name, fence, holder FROM ponte_${service}.leases WHERE expires_at > clock_timestamp() ORDER BY name`,
    );
    return rows.map(({ name, fence, holder }) => ({ name, fence: Number(fence), holder }));
  } finally {
    await client.end();
  }
}
