import type { Broadcast, BroadcastRefusal } from '../../chain.port';

/**
 * Which refusal decides when no node has the bytes: the first of these that a node gave. Bytes with a higher fee are
 * offered to all nodes again, so the fee comes first. A nonce counts as used only when no node answers as if it were
 * free: one node may be on a fork. A node that cannot read the bytes knows nothing about their sender.
 */
const DECIDING: readonly BroadcastRefusal[] = ['fee-too-low', 'insufficient-gas-money', 'nonce-used', 'invalid'];

/**
 * Sends to all nodes at once. `taken` as soon as one node has the bytes: the others are not waited for. Otherwise all
 * nodes have answered, and one that refuses decides; `unknown` when none answered clearly. `send` does not reject.
 *
 * @param note gets the answer of each node when it comes, possibly after the result
 */
export async function broadcastToAll<N>(
  nodes: readonly N[],
  send: (node: N) => Promise<Broadcast>,
  note: (node: N, answer: Broadcast) => void = () => undefined,
): Promise<Broadcast> {
  const answers = nodes.map(async (node) => {
    const answer = await send(node);
    note(node, answer);
    return answer;
  });
  const untilTaken = answers.map(async (coming) => {
    const answer = await coming;
    if (answer.outcome !== 'taken') throw new Error(answer.message);
    return answer;
  });
  return Promise.any(untilTaken).catch(async () => decisive(await Promise.all(answers)));
}

function decisive(answers: readonly Broadcast[]): Broadcast {
  for (const reason of DECIDING) {
    const refusal = answers.find((one) => one.outcome === 'refused' && one.reason === reason);
    if (refusal) return refusal;
  }
  return answers[0] ?? { outcome: 'unknown', message: 'there is no node to send to' };
}
