// The settings of the broker in Kafka's own names.
import { join } from 'node:path';

/** The brokers that vote for the controller, from `--voters`. */
export const voters = (text = '') =>
  text
    .split(',')
    .filter(Boolean)
    .map((voter) => {
      const [, node, port] = /^(\d+)@127\.0\.0\.1:(\d+)$/.exec(voter) ?? [];
      if (!port) throw new Error(`--voters: ${voter} is invalid; expected for example 1@127.0.0.1:9093`);
      return { node, port: Number(port) };
    });

/** Replication of Kafka's internal topics: 3 if there are three brokers. */
const copies = (among) => Math.min(3, Math.max(1, voters(among).length));

/** A broker that is also a controller, with fewer partitions and shorter timeouts than in production. */
export const properties = ({ node, voters: among }, data, { broker, controller }) => ({
  'process.roles': 'broker,controller',
  'node.id': Number(node),
  'controller.quorum.voters': among ?? `${node}@127.0.0.1:${controller}`,
  listeners: `PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${broker}`,
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'log.dirs': join(data, 'log'),
  'auto.create.topics.enable': false,
  'offsets.topic.replication.factor': copies(among),
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.replication.factor': copies(among),
  'transaction.state.log.min.isr': Math.min(2, copies(among)),
  'share.coordinator.state.topic.replication.factor': copies(among),
  'share.coordinator.state.topic.min.isr': Math.min(2, copies(among)),
  'group.initial.rebalance.delay.ms': 0,
  // A killed broker is considered gone after this time, and can rejoin only then.
  'broker.session.timeout.ms': 3000,
  'broker.heartbeat.interval.ms': 500,
  'num.network.threads': 2,
  'num.io.threads': 4,
  'log.cleaner.dedupe.buffer.size': 16777216,
  'log.index.size.max.bytes': 1048576,
});

/** Settings of a broker with TLS and authentication. */
export function securedProperties({ broker, controller }, { username, password, storePassword, store, certificate }) {
  const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule';
  const users = `username="${username}" password="${password}" user_${username}="${password}"`;
  return {
    listeners: `SASL_SSL://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `SASL_SSL://127.0.0.1:${broker}`,
    'listener.security.protocol.map': 'SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'SASL_SSL',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    'listener.name.sasl_ssl.plain.sasl.jaas.config': `${plain} required ${users};`,
    'listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': store,
    'ssl.keystore.password': storePassword,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': certificate,
  };
}
