import { randomUUID } from 'node:crypto';
import type { Metadata, sendUnaryData, ServerDuplexStream, ServerReadableStream, ServerUnaryCall, ServiceError } from '@grpc/grpc-js';
import { Server, status } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import type { Empty } from '@eventstore/db-client/generated/shared_pb';
import { UUID } from '@eventstore/db-client/generated/shared_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { AppendReq, AppendResp, BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { AppendParts } from './appends';
import { append, batchAppend } from './appends';
import type { ReadCall, ReadReply, Subscriptions } from './reads';
import { read } from './reads';
import { accessDenied, failure } from './wire';

export interface ServiceParts extends AppendParts {
  readonly subscriptions: Subscriptions;
  /** Passwords by user; everybody may do everything when absent. */
  readonly users?: Readonly<Record<string, string>>;
  /** The port that clients know. */
  readonly port: () => number;
  readonly calls: CallCounts;
}

/** How often each way to append was used. */
export interface CallCounts { append: number; batchAppend: number }

/** Clients may send events of up to 16 MB and a little around them. */
const MAX_MESSAGE_BYTES = 17 * 1_024 * 1_024;
/** Streams on one connection, as the product's server allows. */
const MAX_CONCURRENT_STREAMS = 100;
const VERSION = '24.10.0-test-server';

/** The definitions type replies as messages; ours may be bytes already. */
const definition = {
  ...StreamsService,
  read: { ...StreamsService.read, responseSerialize: (reply: ReadReply): Buffer => (Buffer.isBuffer(reply) ? reply : Buffer.from(reply.serializeBinary())) },
};

export function createServices(parts: ServiceParts): Server {
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES, 'grpc.max_concurrent_streams': MAX_CONCURRENT_STREAMS });
  server.addService(definition as unknown as Parameters<Server['addService']>[0], {
    read: (call: ReadCall) => {
      call.on('error', () => undefined);
      if (!mayEnter(parts, call.metadata)) return void call.emit('error', accessDenied());
      read(parts.log, call, parts.subscriptions).catch((error: Error) => call.emit('error', failure(status.INTERNAL, error.message)));
    },
    append: (call: ServerReadableStream<AppendReq, AppendResp>, reply: sendUnaryData<AppendResp>) => {
      parts.calls.append += 1;
      if (mayEnter(parts, call.metadata)) append(parts, call, reply);
      else reply(accessDenied());
    },
    batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => {
      parts.calls.batchAppend += 1;
      if (mayEnter(parts, call.metadata)) batchAppend(parts, call);
      else call.emit('error', accessDenied());
    },
    delete: notServed,
    tombstone: notServed,
  });
  server.addService(ServerFeaturesService as unknown as Parameters<Server['addService']>[0], { getSupportedMethods: features });
  server.addService(GossipService as unknown as Parameters<Server['addService']>[0], {
    read: (_: unknown, reply: sendUnaryData<ClusterInfo>) => reply(null, clusterOf(parts.port(), parts.now())),
  });
  return server;
}

function mayEnter({ users }: ServiceParts, metadata: Metadata): boolean {
  if (!users) return true;
  const [scheme, encoded] = String(metadata.get('authorization')[0] ?? '').split(' ');
  const [user = '', ...password] = Buffer.from(encoded ?? '', 'base64').toString('utf8').split(':');
  return scheme === 'Basic' && users[user] === password.join(':');
}

const notServed = (_: unknown, reply: (error: ServiceError) => void): void =>
  reply(failure(status.UNIMPLEMENTED, 'the test server keeps everything'));

function features(_: ServerUnaryCall<Empty, SupportedMethods>, reply: sendUnaryData<SupportedMethods>): void {
  const methods = [StreamsService, ServerFeaturesService, GossipService].flatMap((service) => Object.values(service));
  const listed = methods.map(({ path }: { path: string }) => {
    const [, service = '', method = ''] = path.toLowerCase().split('/');
    return new SupportedMethod().setServiceName(service).setMethodName(method);
  });
  reply(null, new SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(listed));
}

function clusterOf(port: number, nowMs: number): ClusterInfo {
  const member = new MemberInfo()
    .setInstanceId(new UUID().setString(randomUUID()))
    .setTimeStamp(String(nowMs * 10_000))
    .setState(MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new EndPoint().setAddress('127.0.0.1').setPort(port));
  return new ClusterInfo().setMembersList([member]);
}
