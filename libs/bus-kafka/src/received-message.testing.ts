import type { KafkaMessage } from 'kafkajs';

/** Converts a producer's message to the form in which a consumer receives it. */
export const received = ({ key, value, headers }: { key?: unknown; value: unknown; headers?: object }): KafkaMessage =>
  ({
    key: key === null ? null : Buffer.from(String(key)),
    value: value === null ? null : Buffer.from(String(value)),
    attributes: 0,
    timestamp: '0',
    offset: '0',
    headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, Buffer.from(String(text))])),
  }) as KafkaMessage;
