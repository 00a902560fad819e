import { type RunningServer, startServer } from "@keymoot/signaling"
import { LoopbackNetwork } from "@keymoot/transport/testing"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { directoryFailure } from "../../src/client/directory/directory-failure.ts"
import { createCertificate } from "../../src/identity/certificates/certificate.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../src/identity/store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import { Directory, type DirectoryHandle } from "../../src/index.ts"
import { openInProcess } from "../../src/node/open-identity.ts"

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ port: 0, publicOrigins: ["https://meet.example"] })
})
afterAll(() => server.close())

async function directoryOf(store: IdentityStore, url: string): Promise<DirectoryHandle> {
  const identity = await openInProcess("Ada", store, new LoopbackNetwork().createHost("Ada"))
  const directory = await Directory.open({ server: url, identity })
  onTestFinished(() => {
    directory.close()
    return identity.close()
  })
  return directory
}

test("an address that the server does not know as its own is named as the reason", async () => {
  const directory = await directoryOf(createMemoryStore(), server.url)
  for (const asked of [() => directory.publish(), () => directory.withdraw(), () => directory.conferences()]) {
    await expect(asked()).rejects.toMatchObject({ code: "wrong-origin" })
  }
})

test("a later certificate of another device is the reason, and can be withdrawn", async () => {
  const other = await startServer({ port: 0 })
  onTestFinished(() => other.close())
  const [laptop, phone] = [createMemoryStore(), createMemoryStore()]
  const { id } = await openIdentity({ name: "Ada", store: laptop })
  const record = (await laptop.load(id))!
  await phone.save({ ...record, certificate: await createCertificate("Ada", record.keyPair, Date.now() + 60_000) })
  await (await directoryOf(phone, other.url)).publish()
  const directory = await directoryOf(laptop, other.url)
  expect(await directory.publishedName()).toBe(null)
  await expect(directory.publish()).rejects.toMatchObject({ code: "certificate-superseded" })
  await directory.withdraw()
  await directory.publish()
  expect(await directory.publishedName()).toBe("Ada")
})

test.each([
  ["bad-certificate", "certificate-refused"],
  ["bad-proof", "proof-refused"],
  ["not-proved", "proof-refused"],
  ["storage-full", "server-full"],
  ["rate-limited", "server-refused"],
  ["server-unreachable", "server-unreachable"],
])("a refusal as %s is the error %s", (reason, code) => {
  expect(directoryFailure({ code: reason, message: "" })).toMatchObject({ code })
})
