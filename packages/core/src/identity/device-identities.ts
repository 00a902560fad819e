/** Identities of one device. People share computers, or use another identity at work. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { KeymootError, type NewIdentity, type StoredIdentity } from "../api/index.ts"
import { openBackup, sealBackup } from "./backup.ts"
import { certificateRequest, certify, shownCertifications } from "./certification.ts"
import { createCertificate } from "./certificates/certificate.ts"
import { exportSeed, generateKeyPair, importKeyPair, rawPublicKey } from "./key-pair.ts"
import { normalizeName } from "./certificates/name.ts"
import { renamed } from "./own-identity.ts"
import { equalBytes } from "../wire/index.ts"
import { createIdentityId, IDENTITIES_STORED_MAX, type IdentityRecord, type IdentityStore } from "./store.ts"

export async function listIdentities(store: IdentityStore): Promise<StoredIdentity[]> {
  const chosen = await store.load()
  const records = await store.list()
  return Promise.all(records.map((record) => describe(record, chosen?.id ?? null)))
}

/** With a passphrase the key is sealed into a backup before it becomes non-extractable. */
export async function createIdentity(
  store: IdentityStore,
  params: { readonly name: string; readonly passphrase: string | null },
  nowMs: number,
): Promise<NewIdentity> {
  const name = normalizeName(params.name)
  const { passphrase } = params
  if (passphrase === null) {
    const keyPair = await generateKeyPair(store.needsExtractableKeys)
    return { identity: await addIdentity(store, name, keyPair, nowMs), backup: null }
  }
  const made = await generateKeyPair(true)
  const publicKey = await rawPublicKey(made)
  const seed = await exportSeed(made)
  const backup = await sealBackup({ seed, publicKey, name }, passphrase)
  const keyPair = await importKeyPair(seed, publicKey, store.needsExtractableKeys)
  seed.fill(0)
  if (!keyPair) throw new Error("broken invariant: a key pair that was just made does not belong together")
  return { identity: await addIdentity(store, name, keyPair, nowMs), backup }
}

/** A key that is already here is only chosen. The certificate is new, so two devices are two members with one key. */
export async function restoreIdentity(
  store: IdentityStore,
  params: { readonly backup: Uint8Array; readonly passphrase: string },
  nowMs: number,
): Promise<StoredIdentity> {
  const { seed, publicKey, name } = await openBackup(params.backup, params.passphrase)
  const keyPair = await importKeyPair(seed, publicKey, store.needsExtractableKeys)
  seed.fill(0)
  if (!keyPair)
    throw new KeymootError("damaged-backup", "The keys in this backup do not belong together. Use another copy of it.")
  return addIdentity(store, name, keyPair, nowMs)
}

/** Takes a certificate with another name for the same key. */
export async function renameIdentity(
  store: IdentityStore,
  params: { readonly id: string; readonly name: string },
  nowMs: number,
): Promise<void> {
  const name = normalizeName(params.name)
  await store.exclusively(async () => {
    const record = await required(store, params.id)
    if (record.name === name) return
    await store.save(await renamed(record, name, nowMs))
  })
}

export async function chooseIdentity(store: IdentityStore, id: string): Promise<void> {
  await required(store, id)
  await store.choose(id)
}

/** Returns a certificate request for an authority. */
export async function requestCertificate(store: IdentityStore, id: string): Promise<string> {
  return certificateRequest(await required(store, id))
}

/** @throws KeymootError `bad-certificate`, `invalid-argument` (no such id) */
export async function certifyIdentity(
  store: IdentityStore,
  params: { readonly id: string; readonly certificate: Uint8Array | string; readonly authority: Uint8Array | string },
  nowMs: number,
): Promise<StoredIdentity> {
  const record = await store.exclusively(async () => {
    const certified = await certify(await required(store, params.id), params.certificate, params.authority, nowMs)
    await store.save(certified)
    return certified
  })
  return describe(record, (await store.load())?.id ?? null)
}

/** Deletes the key. Only a backup can restore it. */
export async function removeIdentity(store: IdentityStore, id: string): Promise<void> {
  await required(store, id)
  await store.remove(id)
}

/** Chooses the identity with this key, which is added unless it is here. */
async function addIdentity(
  store: IdentityStore,
  name: string,
  keyPair: CryptoKeyPair,
  nowMs: number,
): Promise<StoredIdentity> {
  const publicKey = await rawPublicKey(keyPair)
  const made = { id: createIdentityId(), name, keyPair, certificate: await createCertificate(name, keyPair, nowMs) }
  const record = await store.exclusively(async () => {
    const records = await store.list()
    const keys = await Promise.all(records.map((each) => rawPublicKey(each.keyPair)))
    const here = records.find((_, index) => equalBytes(keys[index]!, publicKey))
    if (!here && records.length >= IDENTITIES_STORED_MAX) {
      const message = `This device keeps ${IDENTITIES_STORED_MAX} identities at most. Remove one first.`
      throw new KeymootError("too-large", message)
    }
    if (!here) await store.save(made)
    await store.choose((here ?? made).id)
    return here ?? made
  })
  return describe(record, record.id)
}

async function required(store: IdentityStore, id: string): Promise<IdentityRecord> {
  const record = await store.load(id)
  if (!record) throw new KeymootError("invalid-argument", "There is no such identity on this device. List them again.")
  return record
}

async function describe(record: IdentityRecord, chosen: string | null): Promise<StoredIdentity> {
  const { id, name, keyPair, certifications = [] } = record
  const publicKey = bytesToHex(await rawPublicKey(keyPair))
  return { id, name, publicKey, chosen: id === chosen, certifications: await shownCertifications(certifications) }
}
