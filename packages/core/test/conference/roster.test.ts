import {
  CONFERENCE_MEMBERS_MAX,
  conferenceIdOf,
  DESCRIPTOR_BYTES_MAX,
  descriptorHashOf,
} from "@keymoot/transport/signaling-protocol"
import { describe, expect, test } from "vitest"
import { descriptorBody, descriptorSigningBytes, signedDescriptor } from "../../src/conference/descriptor-codec.ts"
import { createDescriptor } from "../../src/conference/create-descriptor.ts"
import { openDescriptor } from "../../src/conference/descriptor.ts"
import { fingerprintOf } from "../../src/identity/certificates/certificate.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { createCredentialChecker, type MemberCredential } from "../../src/identity/certificates/credential-checker.ts"
import { openIdentity, type OwnIdentity } from "../../src/identity/own-identity.ts"
import { newcomer } from "../identity/people.ts"

const checker = createCredentialChecker()
const NOW_MS = Date.now()

function create(creator: OwnIdentity, others: readonly MemberCredential[], title = "Board meeting") {
  return createDescriptor({
    server: "https://meet.example",
    creator,
    title,
    keyAgreement: "majority",
    admission: { policy: "roster", others },
    history: "everything",
    startsAtMs: NOW_MS,
    durationMs: 3_600_000,
  })
}

const people = (count: number, name: (i: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, i) => newcomer(name(i))))

const [ada, bob, cleo] = (await people(3, (i) => ["Ada", "Bob", "Cleo"][i]!)) as [OwnIdentity, OwnIdentity, OwnIdentity]

describe("a conference with a roster", () => {
  test("names all once, the creator too, with the certificates of absent members", async () => {
    const { bytes, invitation } = await create(ada, [cleo, bob, bob, ada])
    const { admission } = await openDescriptor(bytes, invitation, checker, NOW_MS)
    const roster = admission.policy === "roster" ? admission.roster : []
    expect(roster.map(({ name }) => name).sort()).toEqual(["Ada", "Bob", "Cleo"])
    expect(roster.map(({ member }) => member)).toEqual([ada, bob, cleo].map(({ member }) => member).sort())
    expect(roster.find(({ name }) => name === "Bob")!.publicKey).toEqual(bob.publicKey)
  })

  test("shows the server fingerprints, and neither names nor keys", async () => {
    const text = Buffer.from((await create(ada, [bob, cleo])).bytes).toString("latin1")
    expect(text).not.toContain("Bob")
    expect(text).not.toContain(Buffer.from(bob.publicKey).toString("latin1"))
    expect(text).toContain(Buffer.from(fingerprintOf(bob.certificate)).toString("latin1"))
  })

  test("fits the server's limit with 128 names of 78 bytes, or 70 of the longest", async () => {
    const longTitle = "字".repeat(200)
    const many = await people(CONFERENCE_MEMBERS_MAX - 1, () => "字".repeat(26))
    expect((await create(ada, many, longTitle)).bytes.length).toBeLessThanOrEqual(DESCRIPTOR_BYTES_MAX)
    const longest = await people(70, () => "𝒜".repeat(60))
    const creator = longest.pop()!
    expect((await create(creator, longest, longTitle)).bytes.length).toBeLessThanOrEqual(DESCRIPTOR_BYTES_MAX)
  })

  test("is made for 127 others when cards come twice, and for no more", async () => {
    const others = await people(CONFERENCE_MEMBERS_MAX - 1, (i) => `${i}`)
    await expect(create(ada, [...others, ...others, ada])).resolves.toMatchObject({})
    await expect(create(ada, [...others, bob])).rejects.toMatchObject({
      code: "roster-too-long",
      message: "Name at most 127 others.",
    })
  })

  test("is not made with names that are too long together, and says so", async () => {
    await expect(create(ada, await people(72, () => "𝒜".repeat(60)))).rejects.toMatchObject({
      code: "roster-too-long",
      message: expect.stringContaining("shorter names"),
    })
  })

  test("is not made with one key under two names", async () => {
    const store = createMemoryStore()
    const [before, after] = [await openIdentity({ name: "Dan", store }), await openIdentity({ name: "Daniel", store })]
    await expect(create(ada, [before, after])).rejects.toMatchObject({ message: expect.stringContaining("Daniel") })
    await expect(create(before, [after])).rejects.toMatchObject({ code: "named-twice" })
    const full = await people(CONFERENCE_MEMBERS_MAX - 2, (i) => `${i}`)
    await expect(create(ada, [...full, before, after])).rejects.toMatchObject({ code: "named-twice" })
  })
})

test("is refused when its list differs from the certificates or is out of order", async () => {
  const { bytes, invitation } = await create(ada, [bob, cleo])
  const body = descriptorBody.decode(signedDescriptor.decode(bytes).body)
  const fingerprints = body.admission.policy === "roster" ? body.admission.fingerprints : []
  const open = async (changed: readonly Uint8Array[]): Promise<unknown> => {
    const other = descriptorBody.encode({ ...body, admission: { policy: "roster", fingerprints: [...changed] } })
    const signature = await ada.signer.sign(descriptorSigningBytes(other))
    const descriptor = signedDescriptor.encode({ body: other, signature })
    const descriptorHash = descriptorHashOf(descriptor)
    const link = { ...invitation, descriptorHash, conferenceId: conferenceIdOf(descriptorHash) }
    return openDescriptor(descriptor, link, checker, NOW_MS)
  }
  await expect(open(fingerprints)).resolves.toMatchObject({ title: "Board meeting" })
  await expect(open(fingerprints.slice(1))).rejects.toMatchObject({ code: "invalid-link" })
  const foreign = [...fingerprints.slice(0, 2), new Uint8Array(32).fill(255)]
  await expect(open(foreign)).rejects.toMatchObject({ code: "invalid-link" })
  for (const bad of [fingerprints.toReversed(), [fingerprints[0]!, ...fingerprints], fingerprints.slice(0, 1)]) {
    await expect(open(bad)).rejects.toThrow(RangeError)
  }
  expect(() => descriptorBody.encode({ ...body, admission: { policy: "link" } })).toThrow(RangeError)
})
