export type { DeadLetter } from './dead-letters';
export { readDeadLetters } from './dead-letters';
export type { KafkaBus } from './message-bus';
export { createKafkaBus } from './message-bus';
export type { BusObserver, RelayObserver } from './observer';
export type { KafkaConnection, TopicSettings } from './options';
export type { RelayOptions } from './requests/relay';
export { createRelay, relayName } from './requests/relay';
