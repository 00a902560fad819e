import { randomUUID } from "node:crypto"
import { mkdir, open, readFile, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"

import { base64 } from "@scure/base"

import { keepLatest } from "../identity/memory-store.ts"
import { createQueue, type IdentityStore, type InvitationRecord, storageUnavailable } from "../identity/store.ts"
import { bufferSource } from "../wire/index.ts"

type StoredInvitation = Omit<InvitationRecord, "secret" | "descriptorHash"> & { secret: string; descriptorHash: string }

/** The file's JSON; binary values in base64. */
type FileContent = {
  readonly version: 1
  readonly identity: { name: string; certificate: string; privateKeyPkcs8: string; publicKeyRaw: string } | null
  /** Saved longest ago first. */
  readonly invitations: readonly StoredInvitation[]
}

/**
 * One JSON file (mode 0600) with the private key in PKCS #8, unencrypted: keep it as you keep an SSH key. It is replaced
 * as a whole by a rename, so a crash leaves the old file or the new one. For one process at a time.
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
    needsExtractableKeys: true,
    exclusively: createQueue(),
    load: () => attempt(async () => identityOf(await readContent(path))),
    save: (record) =>
      attempt(async () => {
        const identity = {
          name: record.name,
          certificate: base64.encode(record.certificate),
          privateKeyPkcs8: base64.encode(
            new Uint8Array(await crypto.subtle.exportKey("pkcs8", record.keyPair.privateKey)),
          ),
          publicKeyRaw: base64.encode(new Uint8Array(await crypto.subtle.exportKey("raw", record.keyPair.publicKey))),
        }
        await writeContent(path, { ...(await readContent(path)), identity })
      }),
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
  if (text === null) return { version: 1, identity: null, invitations: [] }
  const content = JSON.parse(text) as FileContent
  // A damaged or newer file is never overwritten with an empty one: its key could not be had back.
  if (content.version !== 1 || !Array.isArray(content.invitations))
    throw new Error(`${path} is no identity file of version 1`)
  return content
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

async function identityOf({ identity }: FileContent) {
  if (identity === null) return null
  const pkcs8 = bufferSource(base64.decode(identity.privateKeyPkcs8))
  const raw = bufferSource(base64.decode(identity.publicKeyRaw))
  const keyPair = {
    privateKey: await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]),
    publicKey: await crypto.subtle.importKey("raw", raw, "Ed25519", true, ["verify"]),
  }
  return { name: identity.name, certificate: base64.decode(identity.certificate), keyPair }
}

function invitationsOf({ invitations }: FileContent): Map<string, InvitationRecord> {
  return new Map(
    invitations.map((stored) => {
      const binary = { secret: base64.decode(stored.secret), descriptorHash: base64.decode(stored.descriptorHash) }
      return [stored.conferenceId, { ...stored, ...binary }]
    }),
  )
}

function toStored(invitation: InvitationRecord): StoredInvitation {
  const binary = { secret: base64.encode(invitation.secret), descriptorHash: base64.encode(invitation.descriptorHash) }
  return { ...invitation, ...binary }
}
