import { createHash, randomUUID } from "node:crypto"
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { assertRoom, copyDeleted, type CopyStore, createCopyKey, overBound } from "../device/stores/copy-store.ts"
import { createQueue } from "../queues/action-queue.ts"

const KEY_FILE = "key"
/** Holds the id, which the name of the folder hides. A copy from before has none until it is opened again. */
export const ID_FILE = "id"
const LENGTH_BYTES = 4

/**
 * Copy store with one directory per conference: its key, and one file per part with length-prefixed records. A crash
 * may leave a partial record at the end, which the next read truncates. For one process at a time.
 */
export function createFileCopyStore(directory: string): CopyStore {
  const inOrder = createQueue()
  const folderOf = (conferenceId: string) => join(directory, nameOf(conferenceId))
  const fileOf = (conferenceId: string, part: string) => join(folderOf(conferenceId), nameOf(part))
  /** Files that end with a whole record. A record behind a partial one could not be read. */
  const intact = new Set<string>()

  async function makeRoom(conferenceId: string, bytesMore: number): Promise<void> {
    const sizes = await Promise.all((await list(directory)).map((name) => sizeOf(directory, name)))
    const inUse = nameOf(conferenceId)
    assertRoom((sizes.find((size) => size.conferenceId === inUse)?.bytes ?? 0) + bytesMore)
    for (const gone of overBound(sizes, inUse)) await rm(join(directory, gone), { recursive: true, force: true })
    await utimes(folderOf(conferenceId), new Date(), new Date())
  }

  return {
    key: (conferenceId) =>
      inOrder(async () => {
        const key = await loadKey(folderOf(conferenceId))
        await removeTemporary(folderOf(conferenceId))
        await writeFile(join(folderOf(conferenceId), ID_FILE), conferenceId, { mode: 0o600 })
        return key
      }),
    read: (conferenceId, part) => inOrder(() => readRecords(fileOf(conferenceId, part))),
    append: (conferenceId, part, record) =>
      inOrder(async () => {
        const file = fileOf(conferenceId, part)
        if (!(await has(join(folderOf(conferenceId), KEY_FILE)))) throw copyDeleted()
        if (!intact.has(file)) await readRecords(file)
        await makeRoom(conferenceId, framed(record).length)
        intact.delete(file)
        await appendFile(file, framed(record), { mode: 0o600 })
        intact.add(file)
      }),
    replace: (conferenceId, part, record) =>
      inOrder(async () => {
        const file = fileOf(conferenceId, part)
        if (!(await has(join(folderOf(conferenceId), KEY_FILE)))) throw copyDeleted()
        const former = await stat(file).catch(() => null)
        await makeRoom(conferenceId, framed(record).length - (former?.size ?? 0))
        await writeWhole(file, framed(record))
        intact.add(file)
      }),
    forget: (conferenceId) =>
      inOrder(async () => {
        await rm(join(folderOf(conferenceId), KEY_FILE), { force: true })
        await rm(folderOf(conferenceId), { recursive: true, force: true })
      }),
    list: () => inOrder(() => listIds(directory)),
  }
}

/** Reads the ids of all folders that have one. */
export async function listIds(directory: string): Promise<string[]> {
  const names = await list(directory)
  const ids = await Promise.all(names.map((name) => readFile(join(directory, name, ID_FILE), "utf8").catch(() => null)))
  return ids.filter((id) => id !== null)
}

/** Writes a file in one step: a failure or a crash leaves the former one. With `flush`, so does a loss of power. */
export async function writeWhole(file: string, content: Uint8Array | string, flush = false): Promise<void> {
  const temporary = `${file}.${randomUUID()}`
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: "wx", flush })
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Removes what crashes during `replace` have left. It would count against the bound. */
async function removeTemporary(folder: string): Promise<void> {
  const temporary = (await list(folder)).filter((name) => name.includes("."))
  for (const name of temporary) await rm(join(folder, name))
}

async function loadKey(folder: string): Promise<CryptoKey> {
  const raw = await readFile(join(folder, KEY_FILE)).catch(() => null)
  if (raw) return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"])
  const key = await createCopyKey(true)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const bytes = new Uint8Array(await crypto.subtle.exportKey("raw", key))
  await writeFile(join(folder, KEY_FILE), bytes, { mode: 0o600, flag: "wx" })
  return key
}

/** Truncates a partial record after a crash, because the next record would be appended to it. */
async function readRecords(file: string): Promise<Uint8Array[]> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw error
  })
  const records: Uint8Array[] = []
  if (!bytes) return records
  let at = 0
  while (at + LENGTH_BYTES <= bytes.length) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    records.push(new Uint8Array(bytes.subarray(at + LENGTH_BYTES, end)))
    at = end
  }
  if (at < bytes.length) await truncate(file, at)
  return records
}

async function sizeOf(directory: string, name: string) {
  const folder = join(directory, name)
  const files = await Promise.all((await list(folder)).map((file) => stat(join(folder, file))))
  const bytes = files.reduce((total, { size }) => total + size, 0)
  return { conferenceId: name, bytes, usedAtMs: (await stat(folder)).mtimeMs }
}

export function list(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}

function has(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

function framed(record: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(LENGTH_BYTES + record.length)
  bytes.writeUInt32BE(record.length)
  bytes.set(record, LENGTH_BYTES)
  return bytes
}

/** Callers choose ids and names of parts. Their hashes are safe file names. */
export function nameOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32)
}
