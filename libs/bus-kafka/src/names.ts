/** The names of topics and groups. A namespace goes before them all. */
export interface Names {
  commands(service: string): string;
  events(service: string): string;
  deadLetters(service: string): string;
  replies(service: string, instance: string): string;
  /** What the names of all reply topics of a service begin with; without a service, those of all. */
  repliesOf(service?: string): string;
  commandsGroup(service: string): string;
  eventsGroup(service: string): string;
  repliesGroup(topic: string): string;
}

export const names = (namespace = ''): Names => ({
  commands: (service) => `${namespace}${service}.commands`,
  events: (service) => `${namespace}${service}.events`,
  deadLetters: (service) => `${namespace}${service}.events.dead-letters`,
  replies: (service, instance) => `${namespace}replies.${service}.${instance}`,
  repliesOf: (service) => `${namespace}replies.${service === undefined ? '' : `${service}.`}`,
  commandsGroup: (service) => `${namespace}ponte.${service}.commands`,
  eventsGroup: (service) => `${namespace}ponte.${service}`,
  repliesGroup: (topic) => `${topic.slice(0, namespace.length)}ponte.${topic.slice(namespace.length)}`,
});

/** What Kafka allows in a name, and short enough to be one with what goes around it. */
const PART = /^[a-zA-Z0-9._-]{1,100}$/;

/** Throws on a name that no topic could carry. */
export function assertNamePart(part: string): string {
  if (!PART.test(part))
    throw new Error(
      `"${part}" cannot be part of a topic name; it must be at most 100 letters, digits, dots and hyphens`,
    );
  return part;
}
