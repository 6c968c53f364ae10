import { AsyncLocalStorage } from 'node:async_hooks';
import type { Admin } from 'kafkajs';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';

/** Member ids by group. */
export type StaticMembers = ReadonlyMap<string, string>;

/** The id that the next join of this context goes by; used once. */
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
 * The members that go by the name of this process. It has just started, so they are its forerunner, which died without
 * leaving: the brokers would wait for it until its session ends, and everybody else in the group with them. kafkajs
 * does not know static membership.
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
 * Runs what joins a group, in the place of the given member if there is one. When that is gone after all, the client
 * joins as a new one. While such a context is known, Node calls a hook for each promise of the process, so it is
 * forgotten when the last has joined.
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
