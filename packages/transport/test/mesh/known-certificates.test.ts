import { expect, test } from "vitest"
import { CERTIFICATE_REQUEST_MS, CERTIFICATE_WAITS_MAX } from "../../src/mesh/bounds.ts"
import { KnownCertificates } from "../../src/mesh/known-certificates.ts"
import { Lanes } from "../../src/mesh/lanes.ts"
import { memberIdFromBytes, type MemberId } from "../../src/ids.ts"
import { Random } from "../../src/testing/random.ts"
import { CountingChecker, TestIdentity } from "./member.ts"

const numbered = (n: number): MemberId => memberIdFromBytes(Uint8Array.from({ length: 16 }, (_, i) => (i ? n : 1)))
const [flooding, honest] = [numbered(201), numbered(202)]

function known() {
  const asked: { readonly of: MemberId; readonly member: MemberId }[] = []
  const clock = { nowMs: 0 }
  const certificates = new KnownCertificates({
    checker: new CountingChecker(),
    lanes: new Lanes((error) => {
      throw error
    }),
    present: () => undefined,
    sendTo: (of, control) => {
      if (control.kind === "certificateRequest") asked.push({ of, member: control.member })
      return true
    },
    nowMs: () => clock.nowMs,
    onBad: () => {},
  })
  return { certificates, asked, clock }
}

test("a neighbour that tells of many and answers nothing keeps nobody from asking another, be it for the same member", async () => {
  const { certificates, asked, clock } = known()
  const { credential } = new TestIdentity(new Random(1))
  for (let i = 0; i < 10 * CERTIFICATE_WAITS_MAX; i++) certificates.resolve(numbered(i), flooding, () => {})
  expect(asked.length).toBe(CERTIFICATE_WAITS_MAX)

  const got: MemberId[] = []
  certificates.resolve(credential.member, honest, ({ member }) => got.push(member))
  certificates.resolve(numbered(0), honest, () => {})
  expect(asked.slice(CERTIFICATE_WAITS_MAX)).toEqual([
    { of: honest, member: credential.member },
    { of: honest, member: numbered(0) },
  ])
  // Only the one that was asked is heard.
  certificates.handle(flooding, credential.member, credential.certificate)
  certificates.handle(honest, credential.member, credential.certificate)
  await expect.poll(() => got).toEqual([credential.member])

  clock.nowMs = CERTIFICATE_REQUEST_MS
  certificates.resolve(numbered(99), flooding, () => {})
  expect(asked.at(-1)).toEqual({ of: flooding, member: numbered(99) })
})
