import type { Admin, Kafka } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import type { Names } from '../names';
import { administer } from '../partitions/topics';

/** Deletes a reply topic and the group that read it. */
export async function removeReplies(admin: Admin, name: Names, topic: string): Promise<void> {
  await admin.deleteTopics({ topics: [topic] });
  // Kafka deletes an empty group by itself, but only after days.
  await admin.deleteGroups([name.repliesGroup(topic)]).catch(() => undefined);
}

/**
 * Deletes reply topics of a service whose processes died. A process may just be starting or may have lost its
 * connection, so a topic is deleted only if two consecutive checks find no reader.
 */
export class ReplyTopicCleanup {
  private suspects: ReadonlySet<string> = new Set();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: {
      readonly client: Kafka;
      readonly name: Names;
      readonly service: string;
      readonly own: string;
      readonly everyMs: number;
      readonly logger: EngineLogger;
    },
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.deleteUnread());
    }, this.parts.everyMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async deleteUnread(): Promise<void> {
    const { client, name, logger } = this.parts;
    try {
      await administer(client, async (admin) => {
        const unread = await this.unread(admin);
        for (const topic of unread.filter((one) => this.suspects.has(one))) {
          await removeReplies(admin, name, topic);
          logger.warn({ topic }, 'the reply topic of a stopped process was deleted');
        }
        this.suspects = new Set(unread);
      });
    } catch (error) {
      logger.warn({ error: safeError(error) }, 'reply topics could not be listed');
    }
  }

  private async unread(admin: Admin): Promise<string[]> {
    const { name, service, own } = this.parts;
    const prefix = name.repliesOf(service);
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix) && topic !== own);
    if (topics.length === 0) return [];
    const { groups } = await admin.describeGroups(topics.map((topic) => name.repliesGroup(topic)));
    const read = new Set(groups.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId));
    return topics.filter((topic) => !read.has(name.repliesGroup(topic)));
  }
}
