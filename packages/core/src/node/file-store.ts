import { randomUUID } from "node:crypto"
import { mkdir, open, readFile, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"

import { base64 } from "@scure/base"

import { createFileBlockStore } from "./file-block-store.ts"
import { createFileCopyStore } from "./file-copy-store.ts"
import { rawPublicKey } from "../identity/key-pair.ts"
import { byId, chosenOf, keepLatest } from "../identity/memory-store.ts"
import {
  createQueue,
  type IdentityRecord,
  type IdentityStore,
  type InvitationRecord,
  storageUnavailable,
} from "../identity/store.ts"
import { bufferSource } from "../wire/index.ts"

type StoredInvitation = Omit<
  InvitationRecord,
  "secret" | "descriptorHash" | "roomKey" | "otherSecrets" | "statements" | "descriptor"
> & {
  readonly secret: string
  readonly descriptorHash: string
  readonly roomKey?: string
  readonly otherSecrets?: readonly string[]
  readonly statements?: string
  readonly descriptor?: string
}

type StoredIdentity = {
  readonly id: string
  readonly name: string
  readonly certificate: string
  readonly privateKeyPkcs8: string
  readonly publicKeyRaw: string
  /** Missing before the first verification. */
  readonly verified?: string
  /** Missing before the first certification. */
  readonly certifications?: readonly { readonly certificate: string; readonly authority: string }[]
  /** Missing before the first change of name. */
  readonly former?: readonly string[]
}

/** JSON of the file; binary values in base64. */
type FileContent = {
  readonly version: 2
  readonly identities: readonly StoredIdentity[]
  readonly chosen: string | null
  /** Saved longest ago first. */
  readonly invitations: readonly StoredInvitation[]
}

type FileOfVersion1 = {
  readonly version: 1
  readonly identity: Omit<StoredIdentity, "id"> | null
  readonly invitations: readonly StoredInvitation[]
}
/** Id of the identity in a file of version 1. */
const FIRST_ID = "self"

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
    await writeContent(path, { ...content, invitations: [...invitations.values()].map(toStored) })
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
  const content = JSON.parse(text) as FileContent | FileOfVersion1
  // A damaged or newer file is never overwritten with an empty one, because its key would be lost.
  if ((content.version !== 1 && content.version !== 2) || !Array.isArray(content.invitations))
    throw new Error(`${path} is no identity file of version 1 or 2`)
  return content.version === 1 ? ofVersion2(content) : content
}

function ofVersion2({ identity, invitations }: FileOfVersion1): FileContent {
  const identities = identity ? [{ ...identity, id: FIRST_ID }] : []
  return { version: 2, identities, chosen: null, invitations }
}

async function writeContent(path: string, content: FileContent): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  try {
    const file = await open(temporary, "wx", 0o600)
    try {
      await file.writeFile(JSON.stringify(content, null, 2))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function toStoredIdentity(record: IdentityRecord): Promise<StoredIdentity> {
  const { privateKey } = record.keyPair
  return {
    id: record.id,
    name: record.name,
    certificate: base64.encode(record.certificate),
    privateKeyPkcs8: base64.encode(new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey))),
    publicKeyRaw: base64.encode(await rawPublicKey(record.keyPair)),
    ...(record.verified && { verified: base64.encode(record.verified) }),
    ...(record.certifications && { certifications: record.certifications.map(mapped(base64.encode)) }),
    ...(record.former && { former: record.former.map((each) => base64.encode(each)) }),
  }
}

async function identityOf(identity: StoredIdentity): Promise<IdentityRecord> {
  const pkcs8 = bufferSource(base64.decode(identity.privateKeyPkcs8))
  const raw = bufferSource(base64.decode(identity.publicKeyRaw))
  const keyPair = {
    privateKey: await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]),
    publicKey: await crypto.subtle.importKey("raw", raw, "Ed25519", true, ["verify"]),
  }
  const { id, name, certificate, verified, certifications, former } = identity
  return {
    id,
    name,
    certificate: base64.decode(certificate),
    keyPair,
    ...(verified !== undefined && { verified: base64.decode(verified) }),
    ...(certifications !== undefined && { certifications: certifications.map(mapped(base64.decode)) }),
    ...(former !== undefined && { former: former.map((each) => base64.decode(each)) }),
  }
}

function mapped<A, B>(each: (value: A) => B) {
  return (one: { readonly certificate: A; readonly authority: A }) => ({
    certificate: each(one.certificate),
    authority: each(one.authority),
  })
}

function invitationsOf({ invitations }: FileContent): Map<string, InvitationRecord> {
  return new Map(
    invitations.map((stored) => {
      const { secret, descriptorHash, roomKey, otherSecrets, statements, descriptor, ...rest } = stored
      return [
        stored.conferenceId,
        {
          ...rest,
          secret: base64.decode(secret),
          descriptorHash: base64.decode(descriptorHash),
          ...(roomKey !== undefined && { roomKey: base64.decode(roomKey) }),
          ...(otherSecrets && { otherSecrets: otherSecrets.map((other) => base64.decode(other)) }),
          ...(statements !== undefined && { statements: base64.decode(statements) }),
          ...(descriptor !== undefined && { descriptor: base64.decode(descriptor) }),
        },
      ]
    }),
  )
}

function toStored({
  roomKey,
  otherSecrets,
  statements,
  descriptor,
  ...invitation
}: InvitationRecord): StoredInvitation {
  return {
    ...invitation,
    secret: base64.encode(invitation.secret),
    descriptorHash: base64.encode(invitation.descriptorHash),
    ...(roomKey && { roomKey: base64.encode(roomKey) }),
    ...(otherSecrets && { otherSecrets: otherSecrets.map((other) => base64.encode(other)) }),
    ...(statements && { statements: base64.encode(statements) }),
    ...(descriptor && { descriptor: base64.encode(descriptor) }),
  }
}
