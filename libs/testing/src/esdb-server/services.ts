import type { sendUnaryData, ServerDuplexStream, ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import { Server, status } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import type { Empty } from '@eventstore/db-client/generated/shared_pb';
import { UUID } from '@eventstore/db-client/generated/shared_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb';
import type { AppendParts } from './appends';
import { append, softDelete, tombstone } from './appends';
import { batchAppend } from './batch-appends';
import type { LogView } from './log-view';
import type { Entrance, Member } from './node';
import { redirection, refusal, stateOf } from './node';
import type { ReadCall, ReadReply } from './read-call';
import { read } from './reads';
import type { Subscriptions } from './subscriptions';
import { confirmation } from './subscriptions';
import { failure } from './wire';

interface ServiceParts extends AppendParts, Entrance {
  /** The part of the log that this node shows. */
  readonly view: LogView;
  readonly subscriptions: Subscriptions;
  readonly calls: CallCounts;
}

/** Calls per method, and bytes sent to readers. */
export interface CallCounts {
  append: number;
  batchAppend: number;
  reads: number;
  subscriptions: number;
  sentBytes: number;
}

/** A larger request fails with code 8; a batch call ends with everything that is in flight on it. */
const MAX_MESSAGE_BYTES = 16 * 1_024 * 1_024;
/** Concurrent streams per connection, as in EventStoreDB. */
const MAX_CONCURRENT_STREAMS = 100;
const VERSION = '24.10.4-test-server';

/** Allows replies of `read` that are already encoded. */
const definitionOf = (calls: CallCounts) => ({
  ...StreamsService,
  read: {
    ...StreamsService.read,
    responseSerialize: (reply: ReadReply): Buffer => {
      const bytes = Buffer.isBuffer(reply) ? reply : Buffer.from(reply.serializeBinary());
      calls.sentBytes += bytes.length;
      return bytes;
    },
  },
});

export function createServices(parts: ServiceParts): Server {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': MAX_CONCURRENT_STREAMS,
  });
  server.addService(definitionOf(parts.calls) as unknown as Parameters<Server['addService']>[0], {
    read: (call: ReadCall) => reading(parts, call),
    append: (call: ServerReadableStream<AppendReq, AppendResp>, reply: sendUnaryData<AppendResp>) => {
      parts.calls.append += 1;
      const no = refusal(parts, call.metadata) ?? redirection(parts, call.metadata);
      if (no) reply(no);
      else append(parts, call, reply);
    },
    batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => {
      parts.calls.batchAppend += 1;
      const no = refusal(parts, call.metadata) ?? redirection(parts, call.metadata);
      if (no) call.emit('error', no);
      else batchAppend(parts, call);
    },
    delete: (call: ServerUnaryCall<DeleteReq, DeleteResp>, reply: sendUnaryData<DeleteResp>) =>
      void softDelete(parts, call, reply),
    tombstone: (call: ServerUnaryCall<TombstoneReq, TombstoneResp>, reply: sendUnaryData<TombstoneResp>) =>
      void tombstone(parts, call, reply),
  });
  server.addService(ServerFeaturesService as unknown as Parameters<Server['addService']>[0], {
    getSupportedMethods: features,
  });
  server.addService(GossipService as unknown as Parameters<Server['addService']>[0], {
    read: (_: unknown, reply: sendUnaryData<ClusterInfo>) => reply(null, clusterOf(parts.node.members(), parts.now())),
  });
  return server;
}

function reading(parts: ServiceParts, call: ReadCall): void {
  const isSubscription = call.request.getOptions()?.hasSubscription() ?? false;
  parts.calls[isSubscription ? 'subscriptions' : 'reads'] += 1;
  call.on('error', () => undefined);
  const no = refusal(parts, call.metadata);
  if (no) return void call.emit('error', no);
  const elsewhere = redirection(parts, call.metadata);
  if (elsewhere) {
    // A subscription is confirmed before it is redirected.
    if (isSubscription) call.write(confirmation());
    return void call.emit('error', elsewhere);
  }
  read({ log: parts.view, now: parts.now, subscriptions: parts.subscriptions }, call).catch((error: Error) =>
    call.emit('error', failure(status.UNKNOWN, error.message)),
  );
}

function features(_: ServerUnaryCall<Empty, SupportedMethods>, reply: sendUnaryData<SupportedMethods>): void {
  const methods = [StreamsService, ServerFeaturesService, GossipService].flatMap((service) => Object.values(service));
  const listed = methods.map(({ path }: { path: string }) => {
    const [, service = '', method = ''] = path.toLowerCase().split('/');
    return new SupportedMethod().setServiceName(service).setMethodName(method);
  });
  reply(null, new SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(listed));
}

function clusterOf(members: readonly Member[], nowMs: number): ClusterInfo {
  return new ClusterInfo().setMembersList(
    members.map((member) =>
      new MemberInfo()
        .setInstanceId(new UUID().setString(`00000000-0000-4000-8000-${String(member.port).padStart(12, '0')}`))
        .setTimeStamp(String(nowMs * 10_000))
        .setState(stateOf(member))
        .setIsAlive(member.isAlive)
        .setHttpEndPoint(new EndPoint().setAddress(member.host).setPort(member.port)),
    ),
  );
}
