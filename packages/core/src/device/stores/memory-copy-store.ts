import { assertRoom, copyDeleted, type CopyStore, createCopyKey, overBound } from "./copy-store.ts"

type Copy = { key: CryptoKey; usedAtMs: number; readonly parts: Map<string, Uint8Array[]> }

/** Lives as long as its process. A conference that opens again in it finds its copy. */
export function createMemoryCopyStore(): CopyStore {
  const copies = new Map<string, Copy>()

  function write(conferenceId: string, part: string, records: readonly Uint8Array[]): void {
    const copy = copies.get(conferenceId)
    if (!copy) throw copyDeleted()
    const others = bytesOf(copy) - sum(copy.parts.get(part) ?? [])
    assertRoom(others + sum(records))
    copy.parts.set(part, [...records])
    copy.usedAtMs = Date.now()
    const sizes = [...copies].map(([id, each]) => ({ conferenceId: id, bytes: bytesOf(each), usedAtMs: each.usedAtMs }))
    for (const gone of overBound(sizes, conferenceId)) copies.delete(gone)
  }

  return {
    key: async (conferenceId) => {
      const key = copies.get(conferenceId)?.key ?? (await createCopyKey(false))
      // Another call may have made one meanwhile.
      const copy = copies.get(conferenceId) ?? { key, usedAtMs: Date.now(), parts: new Map() }
      copies.set(conferenceId, copy)
      return copy.key
    },
    read: async (conferenceId, part) => (copies.get(conferenceId)?.parts.get(part) ?? []).map((bytes) => bytes.slice()),
    append: async (conferenceId, part, record) =>
      write(conferenceId, part, [...(copies.get(conferenceId)?.parts.get(part) ?? []), record.slice()]),
    replace: async (conferenceId, part, record) => write(conferenceId, part, [record.slice()]),
    forget: async (conferenceId) => void copies.delete(conferenceId),
    list: async () => [...copies.keys()],
  }
}

function bytesOf({ parts }: Copy): number {
  return [...parts.values()].reduce((total, records) => total + sum(records), 0)
}

function sum(records: readonly Uint8Array[]): number {
  return records.reduce((total, { length }) => total + length, 0)
}
