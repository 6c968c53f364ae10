import { StreamDeleted, UUID } from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import type { AppendRefused} from './append-wire';
import { answeredId, appendRequest, readAnswer } from './append-wire';

const ID = 'fedcba98-7654-4321-8123-456789abcdef';
const event = { id: ID, type: 'Counted', data: Buffer.from('{"at":"é"}'), metadata: Buffer.from('{}') };

test('one append is one request, which names its revision, or that there must be no stream', () => {
  const sent = (revision: number | undefined) => BatchAppendReq.deserializeBinary(appendRequest(ID, { stream: 'a-é', revision, events: [event, event], until: 1_500 }).serializeBinary());
  const [first, later] = [sent(undefined), sent(7)];
  expect([first.getOptions()?.hasNoStream(), later.getOptions()?.hasNoStream(), later.getOptions()?.getStreamPosition()]).toEqual([true, false, '7']);
  expect([first.getIsFinal(), first.getOptions()?.getDeadline()?.toDate().getTime(), first.getCorrelationId()?.getString()]).toEqual([true, 1_500, ID]);
  expect(Buffer.from(first.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe('a-é');
  const [message, ...others] = first.getProposedMessagesList();
  expect(others).toHaveLength(1);
  expect([Buffer.from(message?.getData_asU8() ?? []).toString(), message?.getMetadataMap().get('type'), message?.getId()?.getString()]).toEqual(['{"at":"é"}', 'Counted', ID]);
});

test('an answer is known by its id, as text or, as the product writes it, in two signed halves', () => {
  const halves = new UUID.Structured().setMostSignificantBits(String(BigInt.asIntN(64, 0xfedcba9876544321n))).setLeastSignificantBits(String(BigInt.asIntN(64, 0x8123456789abcdefn)));
  expect(answeredId(new BatchAppendResp().setCorrelationId(new UUID().setStructured(halves)))).toBe(ID);
  expect(answeredId(new BatchAppendResp().setCorrelationId(new UUID().setString(ID)))).toBe(ID);
});

test('what the server does not name as a refusal is none: nobody knows what became of it', () => {
  const failed = (kind: string) => {
    const details = new Any();
    details.pack(new StreamDeleted().serializeBinary(), kind);
    return new BatchAppendResp().setError(new Status().setCode(9).setDetails(details));
  };
  const type = (answer: BatchAppendResp) => {
    try {
      return readAnswer(answer);
    } catch (error) {
      return (error as AppendRefused).type;
    }
  };
  expect(type(failed('event_store.client.StreamDeleted'))).toBe('stream-deleted');
  expect(type(failed('event_store.client.AccessDenied'))).toBe('access-denied');
  for (const kind of ['event_store.client.Timeout', 'event_store.client.Unknown', 'something.else']) expect(type(failed(kind))).toBeUndefined();
  expect(type(new BatchAppendResp().setError(new Status().setCode(14)))).toBeUndefined();
  expect(type(new BatchAppendResp())).toBeUndefined();
});
