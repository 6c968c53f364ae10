import type { Checkpoints, Position } from '@ponte/event-sourcing';
import { journalOf, JournalCheckpoints } from './journal-checkpoints.service';

const READER = 'webhook-outbox';
const kept = (checkpoints: Map<string, Position>): Checkpoints => ({
  load: async (reader) => checkpoints.get(reader),
  save: async (reader, position) => {
    checkpoints.set(reader, position);
    return true;
  },
});

describe('the checkpoint of a reader that writes to the journal', () => {
  const log = { comparePositions: (one: Position, other: Position) => Number(one) - Number(other) };
  let [besideLog, besideJournal] = [new Map<string, Position>(), new Map<string, Position>()];
  const places = (): JournalCheckpoints => new JournalCheckpoints(kept(besideLog), kept(besideJournal), log);
  beforeEach(() => {
    [besideLog, besideJournal] = [new Map(), new Map()];
  });

  it('is the start of the log before the first save', async () => {
    expect(await places().load(READER)).toBeUndefined();
  });

  it('is the last saved position', async () => {
    await places().save(READER, '7');
    expect(await places().load(READER)).toBe('7');
  });

  it('is the earlier of the two when the journal lost recent changes or the reader was rewound', async () => {
    await places().save(READER, '7');
    besideJournal.set(journalOf(READER), '5');
    expect(await places().load(READER)).toBe('5');
    besideLog.set(READER, '3');
    expect(await places().load(READER)).toBe('3');
  });

  it('is the start of the log after the journal was lost', async () => {
    await places().save(READER, '7');
    besideJournal.clear();
    expect(await places().load(READER)).toBeUndefined();
  });

  it('is unchanged for a log that was written before the journal existed', async () => {
    besideLog.set(READER, '7');
    expect(await places().load(READER)).toBe('7');
  });

  it('is not saved with the log when it cannot be saved with the journal', async () => {
    const refused = { ...kept(besideJournal), save: async () => false };
    expect(await new JournalCheckpoints(kept(besideLog), refused, log).save(READER, '7')).toBe(false);
    expect(besideLog.size).toBe(0);
  });
});
