import { expect, test } from "vitest"
import {
  CERTIFICATE_ANSWERS_BURST,
  CERTIFICATE_ANSWERS_PER_SECOND,
  CERTIFICATE_REQUEST_MS,
  CERTIFICATE_REQUESTS_MAX,
} from "../../src/bounds/network-bounds.ts"
import { KnownCertificates } from "../../src/network/link/known-certificates.ts"
import type { Contacts } from "../../src/network/rendezvous/contacts.ts"
import { ConnectionTable } from "../../src/network/link/connection-table.ts"
import type { Connections } from "../../src/network/link/connections.ts"
import type { Control } from "../../src/network/messages/control.ts"
import { Lanes } from "../../src/network/base/lanes.ts"
import type { MeshBase } from "../../src/network/base/mesh-base.ts"
import { MeshFaults } from "../../src/network/base/mesh-faults.ts"
import { memberIdFromBytes, type MemberId } from "../../src/members/ids.ts"
import { Random } from "../../src/testing/random/random.ts"
import { CountingChecker, TestIdentity } from "./member.ts"

const numbered = (n: number): MemberId =>
  memberIdFromBytes(Uint8Array.from({ length: 16 }, (_, i) => (i === 0 ? n & 255 : i === 1 ? n >> 8 : 7)))
const [flooding, honest] = [numbered(201), numbered(202)]

function known() {
  const asked: { readonly of: MemberId; readonly member: MemberId }[] = []
  const answered: MemberId[] = []
  const clock = { nowMs: 0 }
  const faults = new MeshFaults(() => expect.unreachable())
  const base = { mesh: { credentials: new CountingChecker(), policy: {} }, lanes: new Lanes(faults), clock, faults }
  const connections = {
    table: new ConnectionTable(),
    sendControl: (of: MemberId, control: Control) => {
      if (control.kind === "certificateRequest") asked.push({ of, member: control.member })
      else answered.push(of)
      return true
    },
  }
  const certificates = new KnownCertificates(
    base as unknown as MeshBase,
    connections as unknown as Connections,
    { get: () => undefined } as unknown as Contacts,
  )
  return { certificates, asked, answered, clock }
}

test("asks others for a certificate when a neighbour announces many and answers none", async () => {
  const { certificates, asked, clock } = known()
  const { credential } = new TestIdentity(new Random(1))
  for (let i = 0; i < 2 * CERTIFICATE_REQUESTS_MAX; i++) certificates.resolve(numbered(i), flooding, () => {})
  expect(asked.length).toBe(CERTIFICATE_REQUESTS_MAX)

  const got: MemberId[] = []
  certificates.resolve(credential.member, honest, (found) => got.push(found!.member))
  certificates.resolve(numbered(0), honest, () => {})
  expect(asked.slice(CERTIFICATE_REQUESTS_MAX)).toEqual([
    { of: honest, member: credential.member },
    { of: honest, member: numbered(0) },
  ])
  // Only the one that was asked is heard.
  certificates.handle(flooding, credential.member, credential.certificate)
  certificates.handle(honest, credential.member, credential.certificate)
  await expect.poll(() => got).toEqual([credential.member])

  clock.nowMs = CERTIFICATE_REQUEST_MS
  certificates.tick()
  certificates.resolve(numbered(99), flooding, () => {})
  expect(asked.at(-1)).toEqual({ of: flooding, member: numbered(99) })
})

test("reports a certificate that never comes in time, and a missing one at once", () => {
  const { certificates, clock } = known()
  const got: unknown[] = []
  certificates.resolve(numbered(1), flooding, (found) => got.push(found))
  certificates.resolve(numbered(2), honest, (found) => got.push(found))
  certificates.handle(honest, numbered(2), null)
  expect(got).toEqual([null])
  clock.nowMs = CERTIFICATE_REQUEST_MS - 1
  certificates.tick()
  expect(got).toEqual([null])
  clock.nowMs++
  certificates.tick()
  expect(got).toEqual([null, null])
})

test("answers others when a neighbour asks without end, and this one again in time", () => {
  const { certificates, answered, clock } = known()
  const ask = (from: MemberId) => certificates.take(from, { kind: "certificateRequest", member: numbered(1) })
  const counts = () => [flooding, honest].map((of) => answered.filter((each) => each === of).length)
  for (let i = 0; i < 10 * CERTIFICATE_ANSWERS_BURST; i++) ask(flooding)
  expect(counts()).toEqual([CERTIFICATE_ANSWERS_BURST, 0])
  ask(honest)
  expect(counts()).toEqual([CERTIFICATE_ANSWERS_BURST, 1])
  clock.nowMs = 1_000
  certificates.tick()
  for (let i = 0; i < CERTIFICATE_ANSWERS_BURST; i++) ask(flooding)
  expect(counts()).toEqual([CERTIFICATE_ANSWERS_BURST + CERTIFICATE_ANSWERS_PER_SECOND, 1])
})
