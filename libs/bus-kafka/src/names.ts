/** The names of topics and groups, each prefixed with a namespace. */
export interface Names {
  commands(service: string): string;
  events(service: string): string;
  deadLetters(service: string): string;
  replies(service: string, instance: string): string;
  /** Prefix of the reply topics of a service; without a service, of all reply topics. */
  repliesOf(service?: string): string;
  commandsGroup(service: string): string;
  eventsGroup(service: string): string;
  repliesGroup(topic: string): string;
}

/** The names of all topics and consumer groups, each with the prefix `namespace`. */
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

/** The characters that Kafka allows. The length leaves room for the other parts of a name. */
const PART = /^[a-zA-Z0-9._-]{1,100}$/;

/** Throws if the text cannot be part of a topic name. */
export function assertNamePart(part: string): string {
  if (!PART.test(part))
    throw new Error(
      `"${part}" cannot be part of a topic name; it must be 1 to 100 letters, digits, dots, underscores and hyphens`,
    );
  return part;
}
