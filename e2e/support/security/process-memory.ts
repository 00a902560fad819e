import { open, readFile } from "node:fs/promises"

const PAGE_BYTES = 4096
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES)
const SECRET_BYTES = 32
const HALF_BYTES = SECRET_BYTES / 2

/**
 * Copies of a secret of 32 bytes, and halves without the other half. An allocator writes into the first bytes of a block that it
 * takes back: such a copy is found as its second half.
 */
export type Remains = { readonly whole: number; readonly halves: number }
type Region = { readonly start: number; readonly end: number }
type Half = { readonly secret: number; readonly from: number; readonly bytes: Uint8Array }

/**
 * Looks for each secret in everything that a process can write to.
 *
 * @returns null if this system does not let its user read the memory of that process
 */
export async function remainsIn(pid: number, secrets: readonly Uint8Array[]): Promise<readonly Remains[] | null> {
  const memory = await open(`/proc/${pid}/mem`, "r").catch(() => null)
  if (memory === null) return null
  const remains = secrets.map(() => ({ whole: 0, halves: 0 }))
  const find = finder(secrets, (secret, isWhole) => remains[secret]![isWhole ? "whole" : "halves"]++)
  try {
    for (const { start, end } of await regionsInUse(pid)) {
      const bytes = Buffer.alloc(end - start)
      // A region that has gone since it was listed holds nothing.
      const { bytesRead } = await memory.read(bytes, 0, bytes.length, start).catch(() => ({ bytesRead: 0 }))
      find(bytes.subarray(0, bytesRead))
    }
  } finally {
    await memory.close()
  }
  return remains
}

/** Without what was reserved and never written, which is gigabytes. */
async function regionsInUse(pid: number): Promise<Region[]> {
  const entries = (await readFile(`/proc/${pid}/smaps`, "utf8")).split(/^(?=[0-9a-f]+-[0-9a-f]+ )/mu)
  return entries.flatMap((entry) => {
    const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) rw/u.exec(entry) ?? []
    const isInUse = /^(?:Rss|Swap): +[1-9]/mu.test(entry)
    return isInUse && start ? [{ start: Number.parseInt(start, 16), end: Number.parseInt(end!, 16) }] : []
  })
}

/** One pass over the bytes, however many secrets there are. */
function finder(secrets: readonly Uint8Array[], found: (secret: number, isWhole: boolean) => void) {
  const byHead = new Map<number, Half[]>()
  for (const [secret, whole] of secrets.entries()) {
    for (const from of [0, HALF_BYTES]) {
      const bytes = whole.subarray(from, from + HALF_BYTES)
      const head = (bytes[0]! << 8) | bytes[1]!
      byHead.set(head, [...(byHead.get(head) ?? []), { secret, from, bytes }])
    }
  }
  const isHead = Uint8Array.from({ length: 1 << 16 }, (_, head) => Number(byHead.has(head)))
  const isAt = (bytes: Buffer, at: number, part: Uint8Array): boolean =>
    at >= 0 && at + part.length <= bytes.length && bytes.compare(part, 0, part.length, at, at + part.length) === 0
  const compare = (bytes: Buffer, at: number, { secret, from, bytes: half }: Half): void => {
    if (!isAt(bytes, at, half)) return
    const isWhole = isAt(bytes, at - from, secrets[secret]!)
    if (!isWhole || from === 0) found(secret, isWhole)
  }
  return (bytes: Buffer): void => {
    for (let page = 0; page < bytes.length; page += PAGE_BYTES) {
      if (bytes.subarray(page, page + PAGE_BYTES).equals(EMPTY_PAGE)) continue
      const end = Math.min(page + PAGE_BYTES, bytes.length - 1)
      for (let at = page, head = bytes[page]!; at < end; at++) {
        head = ((head << 8) | bytes[at + 1]!) & 0xffff
        if (isHead[head] === 1) for (const half of byHead.get(head)!) compare(bytes, at, half)
      }
    }
  }
}
