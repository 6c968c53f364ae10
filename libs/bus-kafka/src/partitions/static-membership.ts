import { AsyncLocalStorage } from 'node:async_hooks';
import type { Admin } from 'kafkajs';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';

/** Member ids by group. */
export type StaticMembers = ReadonlyMap<string, string>;

/** The member id for the next join in this async context; used once. */
const adopting = new AsyncLocalStorage<{ memberId: string | undefined }>();
let joining = 0;

const join = ConsumerGroup.prototype.joinAndSync;
ConsumerGroup.prototype.joinAndSync = function joinAs(this: ConsumerGroup): Promise<void> {
  const adopted = adopting.getStore();
  if (adopted?.memberId !== undefined && this.memberId === null) this.memberId = adopted.memberId;
  if (adopted) adopted.memberId = undefined;
  return join.call(this);
};

/**
 * The group members with the client id of this process. It has just started, so they belong to its predecessor, which
 * died without leaving; the group would wait for them until their sessions end (6 s). kafkajs does not support static
 * membership, and has no option for the id of a member.
 */
export async function staticMembersOf(
  admin: Admin,
  groups: readonly string[],
  clientId: string,
): Promise<StaticMembers> {
  const { groups: described } = await admin.describeGroups([...groups]);
  return new Map(
    described.flatMap(({ groupId, members }) =>
      members.filter((one) => one.clientId === clientId).map(({ memberId }): [string, string] => [groupId, memberId]),
    ),
  );
}

/**
 * Runs work that joins a group, with the given member id if there is one. If the brokers no longer know that member,
 * the client joins as a new one. While such an async context exists, Node calls a hook for each promise of the process,
 * so the storage is disabled after the last join.
 */
export async function inPlaceOf<T>(memberId: string | undefined, work: () => Promise<T>): Promise<T> {
  if (memberId === undefined) return work();
  joining += 1;
  try {
    return await adopting.run({ memberId }, work);
  } finally {
    joining -= 1;
    if (joining === 0) adopting.disable();
  }
}
