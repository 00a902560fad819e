import { mkdir, readFile } from "node:fs/promises"
import { dirname } from "node:path"

import { base64 } from "@scure/base"

import { createFileBlockStore } from "./file-block-store.ts"
import { createFileCopyStore, writeWhole } from "./file-copy-store.ts"
import { rawPublicKey } from "../identity/key-pair.ts"
import { byId, chosenOf, keepLatest } from "../identity/memory-store.ts"
import {
  type IdentityRecord,
  type IdentityStore,
  type InvitationRecord,
  storageUnavailable,
} from "../identity/store.ts"
import { createQueue } from "../queues/action-queue.ts"
import { bufferSource } from "../wire/index.ts"

/** The same value with binary values in base64. */
type InBase64<T> = T extends Uint8Array
  ? string
  : T extends readonly (infer E)[]
    ? readonly InBase64<E>[]
    : T extends object
      ? { readonly [K in keyof T]: InBase64<T[K]> }
      : T

type PlainIdentity = Omit<IdentityRecord, "keyPair"> & {
  readonly privateKeyPkcs8: Uint8Array
  readonly publicKeyRaw: Uint8Array
}
type StoredIdentity = InBase64<PlainIdentity>
type StoredInvitation = InBase64<InvitationRecord>

/** Names of the fields, at any depth, that hold binary values or lists of them. */
const BINARY = (
  "certificate authority privateKeyPkcs8 publicKeyRaw verified former " +
  "secret descriptorHash roomKey otherSecrets statements descriptor"
).split(" ")

/** JSON of the file; binary values in base64. */
type FileContent = {
  readonly version: 2
  readonly identities: readonly StoredIdentity[]
  readonly chosen: string | null
  /** Saved longest ago first. */
  readonly invitations: readonly StoredInvitation[]
}

/**
 * Store in one JSON file (mode 0600) with private keys in PKCS #8, unencrypted: protect it like an SSH key. Writes
 * replace it by a rename, so a crash leaves the old file or the new one. Copies of conferences are in the directory of
 * the same name with `.copies`, and fetched files in that with `.files`. For one process at a time.
 */
export function createFileStore(path: string): IdentityStore {
  const inOrder = createQueue()
  const attempt = <T>(action: () => Promise<T>): Promise<T> =>
    inOrder(action).catch((error: unknown) => {
      throw storageUnavailable(error)
    })

  async function updateInvitations(change: (invitations: Map<string, InvitationRecord>) => void): Promise<void> {
    const content = await readContent(path)
    const invitations = invitationsOf(content)
    change(invitations)
    await writeContent(path, { ...content, invitations: [...invitations.values()].map(encoded) })
  }

  return {
    copies: createFileCopyStore(`${path}.copies`),
    files: createFileBlockStore(`${path}.files`),
    needsExtractableKeys: true,
    exclusively: createQueue(),
    list: () => attempt(async () => Promise.all(byId((await readContent(path)).identities).map(identityOf))),
    load: (id) =>
      attempt(async () => {
        const { identities, chosen } = await readContent(path)
        const stored = id === undefined ? chosenOf(identities, chosen) : identities.find((other) => other.id === id)
        return stored ? identityOf(stored) : null
      }),
    save: (record) =>
      attempt(async () => {
        const content = await readContent(path)
        const others = content.identities.filter(({ id }) => id !== record.id)
        await writeContent(path, { ...content, identities: [...others, await toStoredIdentity(record)] })
      }),
    remove: (id) =>
      attempt(async () => {
        const content = await readContent(path)
        await writeContent(path, { ...content, identities: content.identities.filter((other) => other.id !== id) })
      }),
    choose: (id) => attempt(async () => writeContent(path, { ...(await readContent(path)), chosen: id })),
    listInvitations: () => attempt(async () => [...invitationsOf(await readContent(path)).values()]),
    loadInvitation: (id) => attempt(async () => invitationsOf(await readContent(path)).get(id) ?? null),
    saveInvitation: (invitation) =>
      attempt(() => updateInvitations((invitations) => keepLatest(invitations, invitation))),
    deleteInvitation: (id) => attempt(() => updateInvitations((invitations) => void invitations.delete(id))),
    close: async () => undefined,
  }
}

async function readContent(path: string): Promise<FileContent> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw error
  })
  if (text === null) return { version: 2, identities: [], chosen: null, invitations: [] }
  const content = JSON.parse(text) as FileContent
  // A damaged file or one of another version is never overwritten with an empty one, because its key would be lost.
  if (content.version !== 2 || !Array.isArray(content.invitations))
    throw new Error(`${path} is no identity file of version 2`)
  return content
}

async function writeContent(path: string, content: FileContent): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeWhole(path, JSON.stringify(content, null, 2), true)
}

async function toStoredIdentity({ keyPair, ...rest }: IdentityRecord): Promise<StoredIdentity> {
  const privateKeyPkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keyPair.privateKey))
  return encoded({ ...rest, privateKeyPkcs8, publicKeyRaw: await rawPublicKey(keyPair) })
}

async function identityOf(identity: StoredIdentity): Promise<IdentityRecord> {
  const { privateKeyPkcs8, publicKeyRaw, ...rest } = decoded<PlainIdentity>(identity)
  const keyPair = {
    privateKey: await crypto.subtle.importKey("pkcs8", bufferSource(privateKeyPkcs8), "Ed25519", true, ["sign"]),
    publicKey: await crypto.subtle.importKey("raw", bufferSource(publicKeyRaw), "Ed25519", true, ["verify"]),
  }
  return { ...rest, keyPair }
}

function invitationsOf({ invitations }: FileContent): Map<string, InvitationRecord> {
  return new Map(invitations.map((stored) => [stored.conferenceId, decoded<InvitationRecord>(stored)]))
}

function encoded<T>(value: T): InBase64<T> {
  const encode = (each: unknown): unknown => {
    if (each instanceof Uint8Array) return base64.encode(each)
    if (Array.isArray(each)) return each.map(encode)
    return typeof each === "object" && each !== null ? mapped(each, encode) : each
  }
  return encode(value) as InBase64<T>
}

function decoded<T>(stored: InBase64<T>): T {
  const decode = (each: unknown, name: string): unknown => {
    if (Array.isArray(each)) return each.map((item) => decode(item, name))
    if (typeof each === "string" && BINARY.includes(name)) return base64.decode(each)
    return typeof each === "object" && each !== null ? mapped(each, decode) : each
  }
  return decode(stored, "") as T
}

function mapped(fields: object, each: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, each(value, name)]))
}
