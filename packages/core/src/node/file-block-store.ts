import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  BlocksFullError,
  type BlockStore,
  CONFERENCE_FILES_BYTES_MAX,
  FILES_BYTES_MAX,
} from "../device/stores/block-store.ts"
import { createQueue } from "../queues/action-queue.ts"
import { ID_FILE, list, listIds, nameOf, writeWhole } from "./file-copy-store.ts"
import { overBound } from "../device/stores/copy-store.ts"

/**
 * Block store with one directory per conference, a directory per file, and a file per block. For one process at a time.
 */
export function createFileBlockStore(directory: string): BlockStore {
  const inOrder = createQueue()
  /** Bytes of each conference's directory, read once and then updated. */
  let sizes: Promise<Map<string, number>> | null = null
  const folderOf = (conference: string, file: string): string => join(directory, nameOf(conference), nameOf(file))

  /** Returns a function that accounts for the bytes once they are written. */
  async function makeRoom(conference: string, bytesMore: number): Promise<() => void> {
    const known = await (sizes ??= measure(directory))
    const inUse = nameOf(conference)
    const bytes = (known.get(inUse) ?? 0) + bytesMore
    if (bytes > CONFERENCE_FILES_BYTES_MAX) throw new BlocksFullError(CONFERENCE_FILES_BYTES_MAX)
    const account = (): unknown => known.set(inUse, bytes)
    const next = new Map(known).set(inUse, bytes)
    if ([...next.values()].reduce((sum, each) => sum + each, 0) <= FILES_BYTES_MAX) return account
    const used = await Promise.all([...next].map(async ([id, each]) => usedOf(directory, id, each)))
    for (const gone of overBound(used, inUse, FILES_BYTES_MAX)) {
      await rm(join(directory, gone), { recursive: true, force: true })
      known.delete(gone)
    }
    return account
  }

  return {
    count: (conference, file) => inOrder(async () => (await list(folderOf(conference, file))).filter(isBlock).length),
    read: (conference, file, block) =>
      inOrder(async () => {
        const bytes = await readFile(join(folderOf(conference, file), String(block))).catch(() => null)
        return bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
      }),
    append: (conference, file, block, sealed) =>
      inOrder(async () => {
        const account = await makeRoom(conference, sealed.length)
        const folder = folderOf(conference, file)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeWhole(join(folder, String(block)), sealed)
        account()
        if (block === 0) await writeFile(join(directory, nameOf(conference), ID_FILE), conference, { mode: 0o600 })
        await utimes(join(directory, nameOf(conference)), new Date(), new Date())
      }),
    remove: (conference, file) =>
      inOrder(async () => {
        await rm(folderOf(conference, file), { recursive: true, force: true })
        sizes = null
      }),
    forget: (conference) =>
      inOrder(async () => {
        await rm(join(directory, nameOf(conference)), { recursive: true, force: true })
        sizes = null
      }),
    list: () => inOrder(() => listIds(directory)),
    room: (conference) =>
      inOrder(async () => {
        const known = await (sizes ??= measure(directory))
        return CONFERENCE_FILES_BYTES_MAX - (known.get(nameOf(conference)) ?? 0)
      }),
  }
}

/** Removes what crashes during a write have left. */
async function measure(directory: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const conference of await list(directory)) {
    let bytes = 0
    for (const file of await list(join(directory, conference))) {
      const folder = join(directory, conference, file)
      for (const name of await list(folder)) {
        if (isBlock(name)) bytes += (await stat(join(folder, name))).size
        else await rm(join(folder, name), { force: true })
      }
    }
    sizes.set(conference, bytes)
  }
  return sizes
}

async function usedOf(directory: string, conferenceId: string, bytes: number) {
  const usedAtMs = await stat(join(directory, conferenceId)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  return { conferenceId, bytes, usedAtMs }
}

function isBlock(name: string): boolean {
  return /^\d+$/u.test(name)
}
